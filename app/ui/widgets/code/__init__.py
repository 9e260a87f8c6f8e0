"""Text with line numbers: a view that never stalls, a JSON editor that says where a mistake is, a find bar.

Begin with `code_view`. Knows no page.
"""
