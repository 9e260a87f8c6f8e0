"""Certificates that a test makes: an authority of its own, and what it vouches for.

`cryptography` comes with the keyring on Linux only; a test that needs certificates is skipped elsewhere.
"""

import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest

pytest.importorskip("cryptography", reason="makes the certificate; comes with the keyring on Linux only")

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Paper:
    """A certificate with its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def pem(self) -> bytes:
        """The certificate as text."""
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def der(self) -> bytes:
        """The certificate as bytes, as Windows exports it."""
        return self.certificate.public_bytes(serialization.Encoding.DER)

    def server_context(self, folder: Path) -> ssl.SSLContext:
        """What a server with this certificate speaks TLS with; the key is written below `folder`."""
        file = folder / f"{self.certificate.serial_number:x}.pem"
        form = serialization.PrivateFormat.PKCS8
        private = self.key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
        file.write_bytes(self.pem + private)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(file)
        return context


def authority(name: str = "Acme Private Authority") -> Paper:
    """An authority that nobody knows."""
    return _paper(name, None, (), DAY, -DAY)


def vouched(by: Paper, *hosts: str, until: timedelta = DAY, since: timedelta = -DAY) -> Paper:
    """A certificate for these host names and addresses."""
    return _paper(hosts[0], by, hosts, until, since)


def _paper(name: str, by: Paper | None, hosts: tuple[str, ...], until: timedelta, since: timedelta) -> Paper:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if by is None else by.certificate.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + since - DAY)
        .not_valid_after(now + until)
        .add_extension(x509.BasicConstraints(ca=by is None, path_length=None), critical=True)
    )
    if hosts:
        made = made.add_extension(x509.SubjectAlternativeName([_name(each) for each in hosts]), critical=False)
    return Paper(made.sign(key if by is None else by.key, hashes.SHA256()), key)


def _name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)
