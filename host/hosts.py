"""Which addresses a caller may send us to. Nobody but who is listed, and nothing that only looks like it.

Even a listed name must not lead into one's own network by its DNS answers: private, loopback and link-local
addresses count only where they are listed themselves, or where the listed name says that it is local.
"""

import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from evidence.errors import InvalidRequest
from evidence.http.network import Resolve, is_private, resolved

type Ip = ipaddress.IPv4Address | ipaddress.IPv6Address
type Network = ipaddress.IPv4Network | ipaddress.IPv6Network

LISTED = "_hosts"  # after the name of a credential that a header brought: where its connections may go
_CARRIERS = [  # of an IPv4 address in their last 32 bits: NAT64, IPv4-compatible and IPv4-translated addresses
    ipaddress.IPv6Network(network) for network in ("64:ff9b::/96", "::/96", "::ffff:0:0:0/96")
]
_OUTSIDE = ipaddress.IPv6Network("2000::/3")  # all that is handed out for use on the internet
_SPECIAL = [  # IPv4 that counts as global: IETF protocols, 6to4 relays, and the host of a virtual machine in Azure
    ipaddress.IPv4Network(network) for network in ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32")
]


@dataclass(frozen=True, slots=True)
class ListedHosts:
    """The hosts that the administrator allowed, for what one header names.

    It is the resolver of the connections made for that header: a name is resolved once for each, and the addresses
    that were judged are those that are connected to. DNS that answers otherwise a moment later changes nothing.
    """

    listed: tuple[str, ...]
    header: str
    resolve: Resolve = resolved

    def mind(self, url: str) -> None:
        """Raises InvalidRequest unless the server of a sound URL is listed; nothing is resolved yet."""
        parts = urlsplit(url)
        self._is_named(parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80))

    def __call__(self, host: str, port: int) -> Sequence[str]:
        """The addresses of a listed host; raises InvalidRequest where one is not permitted, or there is none."""
        by_name = self._is_named(host, port)
        networks = self._networks()
        addresses = self._addresses(host, port)
        for text in addresses:
            address = _ip(text)
            if address is None:
                raise InvalidRequest(f"{self.header}: the name of this host cannot be resolved")
            if not (
                _is_outside(address)
                or _inside(address, networks)
                or (by_name and _local(_bare(host), address))
            ):
                raise InvalidRequest(f"{self.header}: this host leads to an address that is not allowed")
        return addresses

    def _is_named(self, host: str, port: int) -> bool:
        """Whether it is listed by its name; raises InvalidRequest where it is not, and its address neither."""
        if any(_same(entry, _bare(host), port) for entry in self.listed):
            return True
        literal = _ip(host)
        if literal is None or not _inside(literal, self._networks()):
            words = "this host is not among those that the administrator allowed"
            raise InvalidRequest(f"{self.header}: {words}")
        return False

    def _networks(self) -> list[Network]:
        return [network for network in map(_network, self.listed) if network is not None]

    def _addresses(self, host: str, port: int) -> Sequence[str]:
        try:
            addresses = self.resolve(host, port)
        except OSError:
            addresses = ()
        if not addresses:
            raise InvalidRequest(f"{self.header}: the name of this host cannot be resolved")
        return addresses


def _is_outside(address: Ip) -> bool:
    """Whether it is on the internet, and no address of the own network, of this machine or of what runs it."""
    if address.is_multicast or not address.is_global:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        return address in _OUTSIDE
    return not _inside(address, _SPECIAL)


def _bare(host: str) -> str:
    return host.rstrip(".").lower()


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
    if not isinstance(address, ipaddress.IPv6Address) or address.is_unspecified or address.is_loopback:
        return address
    if any(address in carrier for carrier in _CARRIERS):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address
