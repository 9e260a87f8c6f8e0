"""`python -m app.practice`: both services of the provider on this computer, for practice and for tests."""

import asyncio
import sys

import apsw

from app.practice.database.practice_schema import FolderDamaged, FolderInUse
from app.practice.options import read_options
from app.practice.server import serve


def main(arguments: list[str] | None = None) -> int:
    """Runs until SIGTERM, SIGINT or, where asked for, the end of standard input. Returns the exit code."""
    options = read_options(sys.argv[1:] if arguments is None else arguments)
    try:
        asyncio.run(serve(options))
    except (FolderInUse, FolderDamaged) as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2
    except apsw.Error as error:
        print(f"The practice data in {options.data} cannot be used: {error}", file=sys.stderr)  # noqa: T201
        return 2
    except OSError as error:
        print(f"The practice service cannot start: {error}", file=sys.stderr)  # noqa: T201
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
