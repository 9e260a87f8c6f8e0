"""Where Qt meets asyncio: the loop, owned tasks, one sink for errors, the practice child process."""
