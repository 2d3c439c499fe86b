"""The adapter for `pycryptodome`: ML-DSA, HashML-DSA, Ed25519, Ed25519ctx and Ed25519ph.

Its public interface computes mu and M' itself. Those that come from outside go through the functions `_sign`
and `_verify` of its keys, which are the standard's Sign_internal and Verify_internal.
"""

import functools
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "python"))

from Crypto.Hash import SHA224, SHA256, SHA384, SHA512, SHAKE128, SHAKE256
from Crypto.Hash import SHA3_224, SHA3_256, SHA3_384, SHA3_512
from Crypto.PublicKey import ECC, MLDSA
from Crypto.Random import get_random_bytes
from Crypto.Signature import eddsa, mldsa

from pqsig_adapter import (
    DETERMINISTIC,
    HEDGED,
    Key,
    Refused,
    Scheme,
    Unsupported,
    artifacts,
    given,
    refusing,
    serve,
    version,
)

OPERATIONS = ["keygen", "public", "sign", "verify"]
HASHES = {
    "SHA-224": SHA224.new,
    "SHA-256": SHA256.new,
    "SHA-384": SHA384.new,
    "SHA-512": SHA512.new,
    "SHA-512/224": functools.partial(SHA512.new, truncate="224"),
    "SHA-512/256": functools.partial(SHA512.new, truncate="256"),
    "SHA3-224": SHA3_224.new,
    "SHA3-256": SHA3_256.new,
    "SHA3-384": SHA3_384.new,
    "SHA3-512": SHA3_512.new,
    "SHAKE128": SHAKE128.new,
    "SHAKE256": SHAKE256.new,
}


class MlDsa(Scheme):
    PRIVATE = {"raw:seed": "seed", "raw:expanded": "sk"}
    INTERNAL = ("external-mu", "internal")

    ability = {
        "operations": OPERATIONS,
        "keys": [
            "pkcs8:seed",
            "pkcs8:both",
            "pkcs8:expanded",
            "raw:seed",
            "raw:expanded",
            "spki",
            "raw:public",
        ],
        "context": True,
        "hedged": True,
        "deterministic": True,
        "fixed_randomness": True,
        "seed_keygen": True,
        "external_mu": True,
        "pre_hash": list(HASHES),
        "internal": True,
        # Its C code is mldsa-native, a fork of Dilithium's reference implementation.
        "lineage": "pq-crystals",
    }

    def __init__(self, parameter_set):
        self.set = parameter_set

    def generate(self, seed):
        with refusing(ValueError):
            if seed is None:
                key = MLDSA.generate(param_set=self.set)
            else:
                key = MLDSA.construct(param_set=self.set, seed=seed)
        return Key("pkcs8:seed", key.export_key()), self.public_of(key)

    def load_private(self, key):
        with refusing(ValueError):
            if key.form in self.PRIVATE:
                return MLDSA.construct(param_set=self.set, **{self.PRIVATE[key.form]: key.bytes})
            return self.own(MLDSA.import_key(key.bytes), private=True)

    def load_public(self, key):
        with refusing(ValueError):
            if key.form == "raw:public":
                return MLDSA.construct(param_set=self.set, pk=key.bytes)
            return self.own(MLDSA.import_key(key.bytes), private=False)

    def own(self, key, private):
        """The file says of which set its key is, and whether it is private; the request does too."""
        if key.param_set is not self.set or key.has_private() != private:
            raise Refused(f"the key is {key!r}")
        return key

    def public_of(self, private):
        return Key("spki", private.public_key().export_key())

    def sign(self, private, message, randomness):
        with refusing(ValueError):
            if message.mode in self.INTERNAL:
                rnd = {HEDGED: get_random_bytes(32), DETERMINISTIC: bytes(32)}.get(randomness, randomness)
                return private._sign(message.data, rnd, external_mu=message.mode == "external-mu")
            source = given(randomness) if isinstance(randomness, bytes) else None
            deterministic = randomness == DETERMINISTIC
            scheme = mldsa.new(private, message.context, deterministic=deterministic, randfunc=source)
            return scheme.sign(what(message))

    def verify(self, public, message, signature):
        with refusing(ValueError):
            if message.mode in self.INTERNAL:
                return public._verify(message.data, signature, external_mu=message.mode == "external-mu")
            scheme = mldsa.new(public, message.context)
        return accepts(scheme, message, signature)


class Ed25519(Scheme):
    CURVE = "Ed25519"

    ability = {
        "operations": OPERATIONS,
        "keys": ["pkcs8:seed", "raw:seed", "spki", "raw:public"],
        "context": True,
        "hedged": True,
        "deterministic": True,
        "seed_keygen": True,
        "pre_hash": ["SHA-512"],
    }

    def generate(self, seed):
        if seed is None:
            key = ECC.generate(curve=self.CURVE)
        else:
            key = self.load_private(Key("raw:seed", seed))
        return Key("pkcs8:seed", key.export_key(format="DER")), self.public_of(key)

    def load_private(self, key):
        with refusing(ValueError):
            read = eddsa.import_private_key if key.form == "raw:seed" else ECC.import_key
            return self.own(read(key.bytes), private=True)

    def load_public(self, key):
        with refusing(ValueError):
            read = eddsa.import_public_key if key.form == "raw:public" else ECC.import_key
            return self.own(read(key.bytes), private=False)

    def own(self, key, private):
        """The bytes say of which curve the key is, and whether it is private; the request does too."""
        if key.curve != self.CURVE or key.has_private() != private:
            raise Refused(f"the key is of {key.curve}, {'private' if key.has_private() else 'public'}")
        return key

    def public_of(self, private):
        return Key("spki", private.public_key().export_key(format="DER"))

    def sign(self, private, message, randomness):
        with refusing(ValueError):
            return eddsa.new(private, "rfc8032", message.context).sign(what(message))

    def verify(self, public, message, signature):
        with refusing(ValueError):
            scheme = eddsa.new(public, "rfc8032", message.context)
        return accepts(scheme, message, signature)


def what(message):
    """What the library is to sign: the message, or the hash object that stands for it."""
    if message.mode == "pure":
        return message.data
    if message.mode != "pre-hash" or message.hash not in HASHES:
        raise Unsupported(f"{message.mode} {message.hash}")
    digest = HASHES[message.hash]()
    digest.update(message.data)
    return digest


def accepts(scheme, message, signature):
    signed = what(message)
    try:
        scheme.verify(signed, signature)
    except ValueError:
        # The documented way to say that the signature is not authentic, whatever is wrong with it.
        return False
    return True


serve(
    {
        "name": "pycryptodome",
        "version": version("pycryptodome"),
        "lineage": "pycryptodome",
        "artifacts": artifacts("pycryptodome"),
    },
    {
        "ML-DSA-44": MlDsa(MLDSA.ML_DSA_44),
        "ML-DSA-65": MlDsa(MLDSA.ML_DSA_65),
        "ML-DSA-87": MlDsa(MLDSA.ML_DSA_87),
        "Ed25519": Ed25519(),
    },
)
