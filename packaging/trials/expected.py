"""What a trial expects, said as it comes true."""


class Failed(Exception):
    """What was to be shown did not show; the text says what."""


def expect(true: bool, what: str) -> None:
    """Print `what` if it is so. Raises `Failed` with it otherwise."""
    if not true:
        raise Failed(what)
    print(f"   {what}", flush=True)
