"""The real child over the real arena, without Qt."""

from collections.abc import AsyncIterator

import pytest_asyncio

from app.imaging.imaging import Imaging
from app.imaging.protocol import Limits

PATIENT = Limits(seconds=60)  # a busy machine takes longer to start a child than a picture may take


@pytest_asyncio.fixture
async def imaging() -> AsyncIterator[Imaging]:
    """Two children, ended with the test."""
    made = Imaging(limits=PATIENT)
    yield made
    await made.aclose()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_imaging() -> AsyncIterator[Imaging]:
    """Two children that decode for all tests of a file, as they do for all pictures of a window."""
    made = Imaging(limits=PATIENT)
    yield made
    await made.aclose()
