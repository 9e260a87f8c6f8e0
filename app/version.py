"""The version of the program. It stands here and nowhere else: packaging/CHANGELOG.md begins with it, which a test
holds, and every package, `--version`, Settings and the `User-Agent` take it from here.
"""

VERSION = "0.1.0"
