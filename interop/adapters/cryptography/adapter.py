"""The adapter for `cryptography`: ML-DSA and Ed25519 of the OpenSSL that its wheel carries.

Key files are read and written by `cryptography` itself, in Rust, not by OpenSSL. Of ML-DSA's private keys it
knows the seed only. It has no SLH-DSA, no pre-hashing, and signs with ML-DSA hedged only.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "python"))

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.backends.openssl import backend
from cryptography.hazmat.primitives.asymmetric import mldsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
    load_der_public_key,
)

from pqsig_adapter import Key, Refused, Scheme, Unsupported, artifacts, refusing, serve, version


class Asymmetric(Scheme):
    """What the library's classes of keys have in common."""

    ability = {
        "operations": ["keygen", "public", "sign", "verify"],
        "keys": ["pkcs8:seed", "raw:seed", "spki", "raw:public"],
        "hedged": True,
        "seed_keygen": True,
    }

    def __init__(self, private, from_seed, public):
        self.private = private
        self.from_seed = from_seed
        self.public = public

    def generate(self, seed):
        key = self.private.generate() if seed is None else self.load_private(Key("raw:seed", seed))
        pkcs8 = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
        return Key("pkcs8:seed", pkcs8), self.public_of(key)

    def load_private(self, key):
        with refusing(ValueError, UnsupportedAlgorithm):
            if key.form == "raw:seed":
                return self.from_seed(key.bytes)
            return of_class(self.private, load_der_private_key(key.bytes, None))

    def load_public(self, key):
        with refusing(ValueError, UnsupportedAlgorithm):
            if key.form == "raw:public":
                return self.public.from_public_bytes(key.bytes)
            return of_class(self.public, load_der_public_key(key.bytes))

    def public_of(self, private):
        spki = private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        return Key("spki", spki)

    def sign(self, private, message, randomness):
        with refusing(ValueError):
            if message.mode == "external-mu":
                return private.sign_mu(message.data)
            return private.sign(*self.arguments(message))

    def verify(self, public, message, signature):
        try:
            with refusing(ValueError):
                if message.mode == "external-mu":
                    public.verify_mu(signature, message.data)
                else:
                    public.verify(signature, *self.arguments(message))
        except InvalidSignature:
            return False
        return True

    def arguments(self, message):
        raise NotImplementedError


class MlDsa(Asymmetric):
    ability = {**Asymmetric.ability, "context": True, "external_mu": True}

    def arguments(self, message):
        if message.mode != "pure":
            raise Unsupported(message.mode)
        return message.data, message.context


class Ed25519(Asymmetric):
    ability = {**Asymmetric.ability, "deterministic": True}

    def arguments(self, message):
        if message.mode != "pure" or message.context:
            raise Unsupported(f"{message.mode} with a context of {len(message.context)} bytes")
        return (message.data,)


def of_class(wanted, key):
    """The file says of which algorithm its key is; the request does too."""
    if not isinstance(key, wanted):
        raise Refused(f"the key is a {type(key).__name__}")
    return key


def ml_dsa(private, public):
    return MlDsa(private, private.from_seed_bytes, public)


serve(
    {
        "name": "cryptography",
        "version": f"{version('cryptography')} with {backend.openssl_version_text()}",
        "lineage": "openssl",
        "artifacts": artifacts("cryptography"),
    },
    {
        "ML-DSA-44": ml_dsa(mldsa.MLDSA44PrivateKey, mldsa.MLDSA44PublicKey),
        "ML-DSA-65": ml_dsa(mldsa.MLDSA65PrivateKey, mldsa.MLDSA65PublicKey),
        "ML-DSA-87": ml_dsa(mldsa.MLDSA87PrivateKey, mldsa.MLDSA87PublicKey),
        "Ed25519": Ed25519(Ed25519PrivateKey, Ed25519PrivateKey.from_private_bytes, Ed25519PublicKey),
    },
)
