"""The still: a picture of the main window as the next start paints it first, shown until the window itself is there.

The program takes it when it ends (`take_still`), from a second window that is built as a start builds it, so that it
shows what the next start will show. `still_file` keeps it and says when it is not true any more. `show_still` paints it
before most of the program is imported. Imported by `bootstrap` and `assembly` alone; begin with `still_file`.
"""
