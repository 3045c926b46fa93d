"""A certificate authority for tests, so that a server on this machine can use TLS."""

import datetime
import ipaddress
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from local.server import HOST


@dataclass(frozen=True)
class Authority:
    """`ca_file`: its certificate. `server_file`: key and certificate of the server, which it has signed."""

    ca_file: str
    server_file: str

    @property
    def context(self) -> ssl.SSLContext:
        """The server's key and certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.server_file)
        return context


def authority(folder: Path, host: str = HOST) -> Authority:
    """Return an authority with a certificate for one host, an address or a name."""
    now = datetime.datetime.now(datetime.UTC)
    ca_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    ca_name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "An authority of the tests")])
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    try:
        place: x509.GeneralName = x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        place = x509.DNSName(host)

    def certificate(subject: x509.Name, public: Any, *extensions: x509.ExtensionType) -> bytes:
        made = x509.CertificateBuilder(ca_name, subject, public, x509.random_serial_number())
        made = made.not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=1))
        vouching = x509.AuthorityKeyIdentifier.from_issuer_public_key(ca_key.public_key())
        for extension in (*extensions, x509.SubjectKeyIdentifier.from_public_key(public), vouching):
            made = made.add_extension(extension, critical=isinstance(extension, x509.BasicConstraints | x509.KeyUsage))
        return made.sign(ca_key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    signs = dict.fromkeys(
        ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "encipher_only"), False
    )
    usage = x509.KeyUsage(digital_signature=True, key_cert_sign=True, crl_sign=True, decipher_only=False, **signs)
    ca_file, server_file = folder / f"{host}-ca.pem", folder / f"{host}.pem"
    ca_file.write_bytes(certificate(ca_name, ca_key.public_key(), x509.BasicConstraints(True, None), usage))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    server_file.write_bytes(private + certificate(name, key.public_key(), x509.SubjectAlternativeName([place])))
    return Authority(str(ca_file), str(server_file))
