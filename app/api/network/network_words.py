"""The sentences about proxies, certificates and the legs of the way to a provider."""

from app.translation import translate, translate_plural

# What a person types
PROXY_EXAMPLE = translate("A proxy is an address such as http://proxy.example:8080.")
PROXY_HOLDS_LOGIN = translate("The login of the proxy goes into its own two fields, not into its address.")
PROXY_HOLDS_PATH = translate("The address of a proxy ends after the port.")
PROXY_NOT_SOCKS = translate(
    "Waybill can use proxies for HTTP, whose address begins with http:// or https://, not SOCKS."
)
USER_WITHOUT_COLON = translate("The user name for a proxy cannot hold a colon.")
FILE_EMPTY = translate("The file holds no certificate that Waybill can read. It takes PEM (text) and DER (.cer).")
FILE_TOO_LARGE = translate("The file is too large to be one of certificates.")

# A proxy that refuses
PROXY_REFUSES_LOGIN = translate(
    "The proxy does not accept its user and password (407). Correct them under this connection in Settings. It is not "
    "asked again for a while, so that the account is not locked."
)


def file_unreadable(path: str, why: str) -> str:
    """The file with certificate authorities cannot be read; `why` is the system's reason."""
    return translate("The file of authorities {path} cannot be read: {why}.", path=path, why=why)


def file_of_authorities(path: str, trouble: str) -> str:
    """The file of authorities was read, and cannot be used; `trouble` is a whole sentence."""
    return translate("{path}: {trouble}", path=path, trouble=trouble)


def authorities_found(count: int, names: str) -> str:
    """What a file of authorities holds."""
    return translate_plural(
        "It holds {count} authority: {names}.", "It holds {count} authorities: {names}.", count, names=names
    )


def no_proxy(place: str) -> str:
    """What answers at the address of a proxy does not speak as one."""
    return translate("{place} does not answer as a proxy: check its address and port.", place=place)


# The advice for a certificate that is not trusted, by the reason why it is not.

UNKNOWN_AUTHORITY = translate(
    "Its certificate comes from an authority that this computer does not trust. If it is your company's own, choose "
    "the file with its certificate here, or have it added to this computer's store."
)
EXPIRED = translate(
    "Its certificate has expired, or the date of this computer is wrong. If the date is right, tell the provider."
)
NOT_YET_VALID = translate("Its certificate is not valid yet: the date of this computer is probably wrong.")
OTHER_NAME = translate("Its certificate is for another name: check the address.")
NO_TLS = translate("It does not speak TLS there: check the port, or whether the address begins with http://.")
UNKNOWN_NAME = translate("No computer of this name is known: check the spelling, and whether there is a network.")
NOTHING_LISTENS = translate("Nothing listens there: check the port, or ask whether the service is down.")
NO_CONNECTION_IN_TIME = translate("No connection came in time: a firewall may be between, or a proxy is needed.")


def tls_facts(version: str, issuer: str, until: str) -> str:
    """An agreed TLS connection: its version, who vouches for the certificate, and until when."""
    return translate("{version}, certificate by {issuer} until {until}", version=version, issuer=issuer, until=until)


BROKEN_OFF = translate("The connection broke off: a firewall may be between.")


def broke_off(why: str) -> str:
    """A connection failed for a reason of the system's."""
    return translate("The connection failed ({why}): check the network.", why=why)


def file_not_given(place: str, status: int) -> str:
    """A server of newer versions has no such file, or does not give it."""
    return translate("{place} does not give the file (status {status}).", place=place, status=status)
