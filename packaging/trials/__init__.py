"""Packages tried as people use them: on bare Debian roots, and under Wine. Takes minutes, and is no part of the test
suite: `dev.py trial` and `dev.py test --windows`.

Begin with `debian_trial`. `screen` is a display of a trial's own, with real keys.
"""
