"""What `dev.py package` is made of: the packed program, and from it a package for each system.

`packages` is where to begin reading: it lists the packages, says which of them this machine can make, and makes them.
Standard library only, like all that `dev.py` stands on. Invariant: what is made twice from the same files and pins is
the same byte for byte (`reproducible`).
"""
