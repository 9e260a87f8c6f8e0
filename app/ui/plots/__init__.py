"""The one plot part of the program: paints a `desk.insights.plot_data.Plot`, shows it in the window, and saves it.

`plot_axis` places values and chooses ticks, `plot_painting` paints on anything, `plot_view` is the widget, and
`plot_files` writes pictures and tables. Imported by pages. Begin with `plot_painting`.
"""
