"""The provider, made up and on this computer: both services over the contract, as a process of its own (README.md)."""
