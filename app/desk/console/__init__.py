"""The console: every operation of the provider's services, called by hand.

What it knows, keeps and does, without a window; pages show it.
`forms` holds shapes and the values typed into them, `description` reads what the provider publishes, `calls` sends and
remembers, `answers` prepares what came for showing. Begin with `console_operations`, then
`desk/console/calls/judge_call`.

Imported by `ui` and `background`.
"""
