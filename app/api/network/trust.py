"""TLS contexts: whom a connection believes.

Invariants: a certificate is always verified, and so is its name. The authorities of a file are believed besides those
of the operating system, never instead of them. Reading a file waits for the disk, so it is done on a thread.
"""

import asyncio
import functools
import ssl
from collections.abc import Mapping
from pathlib import Path

import httpcore2

from app.api.errors import BadAddress
from app.api.network import network_words as words

_LARGEST = 8 * 1024 * 1024  # bytes; the whole of a system's store is a quarter of a megabyte
_PEM = b"-----BEGIN CERTIFICATE-----"


@functools.cache
def trust_store() -> ssl.SSLContext:
    """The operating system's trusted authorities: the one such context of this process."""
    return httpcore2.default_ssl_context()


@functools.cache
def no_trust() -> ssl.SSLContext:
    """For origins without TLS: trusts nobody, and costs nothing to make."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


async def trust_with(authorities: str) -> ssl.SSLContext | None:
    """Return a context that trusts the system's authorities and those of the file `authorities`; None if
    `authorities` is an empty text.

    Raises `BadAddress`.
    """
    if not authorities:
        return None
    return await asyncio.to_thread(_context_with, authorities)


def _context_with(authorities: str) -> ssl.SSLContext:
    context = httpcore2.default_ssl_context()
    load_authorities(context, read_authorities(authorities), authorities)
    return context


def read_authorities(path: str) -> bytes:
    """The bytes of a file with certificates. Raises BadAddress."""
    try:
        file = Path(path).expanduser()
        if file.stat().st_size > _LARGEST:
            raise BadAddress(words.file_of_authorities(path, words.FILE_TOO_LARGE), "authorities")
        return file.read_bytes()
    except (OSError, ValueError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or type(error).__name__
    raise BadAddress(words.file_unreadable(path, why), "authorities")


def load_authorities(context: ssl.SSLContext, raw: bytes, path: str) -> None:
    """Have a context trust the certificates in these bytes as well. Raises BadAddress if there are none."""
    try:
        if _PEM in raw:
            # Certificates may have remarks between them, in any encoding.
            context.load_verify_locations(cadata=raw[raw.index(_PEM) :].decode("ascii", "ignore"))
        else:
            context.load_verify_locations(cadata=raw)
    except (ssl.SSLError, ValueError, TypeError):
        usable = False
    else:
        usable = True
    if not usable:
        raise BadAddress(words.file_of_authorities(path, words.FILE_EMPTY), "authorities")


def authorities_in(path: str) -> list[str]:
    """The names of the authorities in a file, as a person knows them. Raises BadAddress. Waits for the disk."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    load_authorities(context, read_authorities(path), path)
    return [_name_of(each) for each in context.get_ca_certs()]


def _name_of(certificate: Mapping[str, object]) -> str:
    return name_in(certificate.get("subject"))


def name_in(parts: object) -> str:
    """The common name, else the organisation, in a subject or issuer as `ssl` gives it."""
    found: dict[str, str] = {}
    if isinstance(parts, tuple):
        for part in parts:
            found |= dict(part)
    names = (found.get(key, "") for key in ("commonName", "organizationName", "organizationalUnitName"))
    return next((each for each in names if each), "?")
