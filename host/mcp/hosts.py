"""Which addresses a caller may send us to. Nobody but who is listed, and nothing that only looks like it.

Even a listed name must not lead into one's own network by its DNS answers: private, loopback and link-local
addresses count only where they are listed themselves, or where the listed name says that it is local.
"""

import ipaddress
import socket
from collections.abc import Callable, Iterable, Sequence
from urllib.parse import urlsplit

from evidence.adapters.network import is_private
from evidence.errors import InvalidRequest

type Ip = ipaddress.IPv4Address | ipaddress.IPv6Address
type Network = ipaddress.IPv4Network | ipaddress.IPv6Network
type Resolve = Callable[[str, int], Iterable[str]]

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def resolved(host: str, port: int) -> list[str]:
    """The addresses that a connection would go to; raises OSError and UnicodeError."""
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def mind(url: str, listed: Sequence[str], header: str, resolve: Resolve = resolved) -> None:
    """Raises InvalidRequest unless the server of a sound URL is listed, and what it resolves to is permitted."""
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".").lower()
    port = parts.port or (443 if parts.scheme == "https" else 80)
    networks = [network for network in map(_network, listed) if network is not None]
    literal = _ip(host)
    named = any(_same(each, host, port) for each in listed)
    if not named and not (literal is not None and _inside(literal, networks)):
        raise InvalidRequest(f"{header}: this host is not among those that the administrator allowed")
    for address in _addresses(host, port, header, resolve):
        outside = address.is_global and not address.is_multicast
        if not (outside or _inside(address, networks) or (named and _local(host, address))):
            raise InvalidRequest(f"{header}: this host leads to an address that is not allowed")


def _addresses(host: str, port: int, header: str, resolve: Resolve) -> list[Ip]:
    try:
        found = [_ip(text) for text in resolve(host, port)]
    except (OSError, UnicodeError):
        found = []
    known = [address for address in found if address is not None]
    if not known or len(known) < len(found):
        raise InvalidRequest(f"{header}: the name of this host cannot be resolved")
    return known


def _same(entry: str, host: str, port: int) -> bool:
    """Whether a listed host, or host:port, is meant."""
    try:
        parts = urlsplit(f"//{entry.strip()}")
        given = (parts.hostname or "").rstrip(".").lower()
        return given == host and parts.port in (None, port) and not parts.path.strip("/")
    except ValueError:
        return False


def _local(host: str, address: Ip) -> bool:
    """A listed name that is local by itself may lead into the own network, but not to the machine's metadata."""
    if address.is_loopback:
        return host == "localhost" or host.endswith(".localhost")
    strange = address.is_link_local or address.is_multicast or address.is_unspecified or address.is_reserved
    return is_private(host) and not strange


def _network(entry: str) -> Network | None:
    try:
        return ipaddress.ip_network(entry.strip().strip("[]"), strict=False)
    except ValueError:
        return None


def _inside(address: Ip, networks: Iterable[Network]) -> bool:
    return any(address in network for network in networks if network.version == address.version)


def _ip(text: str) -> Ip | None:
    """An address; one that carries an IPv4 address inside is that address."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        if address in _NAT64:
            return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        return address.ipv4_mapped or address.sixtofour or address
    return address
