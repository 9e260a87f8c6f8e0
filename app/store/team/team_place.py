"""Where a team's database is, and how it is reached: encrypted, and by a server that proves its name.

Invariant: a password leaves this computer only to a server whose certificate bears the name that a person typed, and is
vouched for by an authority that this computer trusts.
"""

import ssl
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from app.store.team.team_errors import TeamTrouble
from app.translation import translate

_CONNECT_S = 5
# The system's authorities in one file, where systems keep them: Debian and its kin, Red Hat's, openSUSE's, macOS'.
_BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)


@dataclass(frozen=True, slots=True)
class TeamPlace:
    """`authorities` is the path of a file with certificates to trust in place of the system's; empty for those."""

    host: str
    port: int = 5432
    database: str = "waybill"
    authorities: str = ""

    @property
    def is_this_computer(self) -> bool:
        """Whether the host is this computer, so that nothing goes over a network."""
        host = self.host.strip().rstrip(".").lower()
        if host == "localhost" or host.startswith("/"):  # a path is a socket of this computer
            return True
        try:
            return ip_address(host.strip("[]")).is_loopback
        except ValueError:
            return False


def connection_words(place: TeamPlace, user: str, password: str, roots: Path) -> dict[str, str | int]:
    """The words for libpq. `roots` is where the system's authorities may be written. Raises `TeamTrouble`."""
    words: dict[str, str | int] = {
        "host": place.host.strip(),
        "port": place.port,
        "dbname": place.database.strip(),
        "user": user,
        "password": password,
        "connect_timeout": _CONNECT_S,
        "application_name": "Waybill",
        "client_encoding": "UTF8",
        # A cable that was pulled out is noticed in seconds, not in the hours that a system waits by itself.
        "keepalives_idle": 10,
        "keepalives_interval": 3,
        "keepalives_count": 3,
        "tcp_user_timeout": 15_000,
    }
    return words | tls_words(place, roots)


def tls_words(place: TeamPlace, roots: Path) -> dict[str, str]:
    """The TLS settings of libpq for this place. Raises `TeamTrouble`."""
    if place.is_this_computer:
        # Nothing crosses a network, and servers of a single computer have no certificate as a rule.
        return {"sslmode": "prefer"}
    return {"sslmode": "verify-full", "sslrootcert": _authorities(place, roots)}


def _authorities(place: TeamPlace, roots: Path) -> str:
    """The file with the authorities to trust. libpq's own choice ("system") depends on where it was built."""
    if place.authorities:
        file = Path(place.authorities).expanduser()
        try:
            if b"-----BEGIN CERTIFICATE-----" in file.read_bytes():
                return str(file)
            why = translate("it holds no certificate")
        except OSError as error:
            why = error.strerror or type(error).__name__
        raise TeamTrouble(
            "certificate", translate("The file {path} cannot be used: {why}.", path=place.authorities, why=why)
        )
    for each in (ssl.get_default_verify_paths().cafile, *_BUNDLES):
        if each and Path(each).is_file():
            return each
    # Windows keeps them in a store of its own, which OpenSSL does not read.
    known = ssl.create_default_context().get_ca_certs(binary_form=True)
    try:
        roots.write_text("".join(map(ssl.DER_cert_to_PEM_cert, known)), encoding="ascii")
    except OSError as error:
        raise TeamTrouble(
            "certificate",
            translate("The system's certificates could not be written to {path}: {why}.", path=roots, why=error),
        ) from error
    return str(roots)
