"""The adapter for two libraries of plain Python: `dilithium-py` for ML-DSA, `slh-dsa` for SLH-DSA.

`dilithium-py` signs mu but does not verify it, so it is not said to know mu. M' and the pre-hash functions
other than SHA-512 go through functions of its that begin with an underscore. `slh-dsa` can't generate from a
seed; of the pre-hash functions it has the one that it chooses for each parameter set.
"""

import base64
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "python"))

import slhdsa
from dilithium_py.ml_dsa import default_parameters, pkcs
from ecdsa.der import UnexpectedDER

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


class MlDsa(Scheme):
    """Keys are the standard's bytes: the library reads them anew for each signature."""

    HASHES = {"SHA-512": "SHA512", "SHA-256": "SHA256", "SHAKE128": "SHAKE128"}

    ability = {
        "operations": OPERATIONS,
        "keys": [
            "pkcs8:both",
            "pkcs8:seed",
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
        "pre_hash": list(HASHES),
        "internal": True,
    }

    def __init__(self, number):
        self.pure = getattr(default_parameters, f"ML_DSA_{number}")
        self.hashing = getattr(default_parameters, f"HASH_ML_DSA_{number}_WITH_SHA512")
        self.system_randomness = self.pure.random_bytes

    def generate(self, seed):
        with refusing(ValueError):
            if seed is None:
                public, expanded = self.pure.keygen()
                private = Key("pkcs8:expanded", pkcs.sk_to_der(self.pure, sk=expanded))
            else:
                public, expanded = self.pure.key_derive(seed)
                private = Key("pkcs8:both", pkcs.sk_to_der(self.pure, sk=expanded, seed=seed))
        return private, Key("spki", pkcs.pk_to_der(self.pure, public))

    def load_private(self, key):
        if key.form == "raw:expanded":
            return key.bytes
        with refusing(ValueError, UnexpectedDER):
            if key.form == "raw:seed":
                return self.pure.key_derive(key.bytes)[1]
            scheme, expanded, _, _ = pkcs.sk_from_der(key.bytes)
        return self.own(scheme, expanded)

    def load_public(self, key):
        if key.form == "raw:public":
            return key.bytes
        with refusing(UnexpectedDER):
            scheme, public = pkcs.pk_from_der(key.bytes)
        return self.own(scheme, public)

    def own(self, scheme, key):
        """The file says of which set its key is; the request does too."""
        if scheme is not self.pure:
            raise Refused("the key is of another parameter set")
        return key

    def public_of(self, private):
        with refusing(ValueError):
            return Key("raw:public", self.pure.pk_from_sk(private))

    def sign(self, private, message, randomness):
        source = given(randomness) if isinstance(randomness, bytes) else self.system_randomness
        deterministic = randomness == DETERMINISTIC
        # The attribute is the library's own way to replace its source of randomness.
        self.pure.random_bytes = self.hashing.random_bytes = source
        with refusing(ValueError):
            if message.mode == "pure":
                return self.pure.sign(private, message.data, message.context, deterministic)
            if message.mode == "pre-hash":
                name = self.hash_name(message)
                return self.hashing._sign_with_pre_hash(
                    private, message.data, name, message.context, deterministic
                )
            if message.mode == "internal":
                return self.pure._sign_internal(
                    private, message.data, bytes(32) if deterministic else source(32)
                )
        raise Unsupported(message.mode)

    def verify(self, public, message, signature):
        with refusing(ValueError):
            if message.mode == "pure":
                return self.pure.verify(public, message.data, signature, message.context)
            if message.mode == "pre-hash":
                name = self.hash_name(message)
                return self.hashing._verify_with_pre_hash(
                    public, message.data, signature, name, message.context
                )
            if message.mode == "internal":
                return self.pure._verify_internal(public, message.data, signature)
        raise Unsupported(message.mode)

    def hash_name(self, message):
        if message.hash not in self.HASHES:
            raise Unsupported(message.hash)
        return self.HASHES[message.hash]


class SlhDsa(Scheme):
    def __init__(self, family, size):
        self.set = getattr(slhdsa, f"{family}_{size}".lower())
        # What the library takes for the set when it is asked for none.
        if family == "SHA2":
            self.hash = "SHA-256" if size.startswith("128") else "SHA-512"
        else:
            self.hash = "SHAKE128" if size.startswith("128") else "SHAKE256"
        self.ability = {
            "operations": OPERATIONS,
            "keys": ["raw:expanded", "pkcs8:expanded", "raw:public", "spki"],
            "context": True,
            "hedged": True,
            "deterministic": True,
            "pre_hash": [self.hash],
            "internal": True,
            "lineage": "slh-dsa-py",
            "version": version("slh-dsa"),
        }

    def generate(self, seed):
        pair = slhdsa.KeyPair.gen(self.set)
        return Key("raw:expanded", pair.sec.digest()), Key("raw:public", pair.pub.digest())

    def load_private(self, key):
        return self.load(slhdsa.SecretKey, key, "raw:expanded", "PRIVATE KEY")

    def load_public(self, key):
        return self.load(slhdsa.PublicKey, key, "raw:public", "PUBLIC KEY")

    def load(self, kind, key, raw_form, label):
        with refusing(ValueError, slhdsa.SLHDSAKeyException):
            if key.form == raw_form:
                return kind.from_digest(key.bytes, self.set)
            with pem_file(label, key.bytes) as file:
                loaded = kind.from_pkcs(file.name)
        if loaded.par is not self.set:
            raise Refused("the key is of another parameter set")
        return loaded

    def public_of(self, private):
        return Key("raw:public", private.pubkey.digest())

    def sign(self, private, message, randomness):
        randomize = randomness == HEDGED
        with refusing(ValueError):
            if message.mode == "pure":
                return private.sign_pure(message.data, randomize, message.context)
            if message.mode == "pre-hash" and message.hash == self.hash:
                return private.sign_hash(message.data, randomize, message.context)
            if message.mode == "internal":
                return private.sign(message.data, randomize)
        raise Unsupported(f"{message.mode} {message.hash}")

    def verify(self, public, message, signature):
        with refusing(ValueError):
            if message.mode == "pure":
                return public.verify_pure(message.data, signature, message.context)
            if message.mode == "pre-hash" and message.hash == self.hash:
                return public.verify_hash(message.data, signature, message.context)
            if message.mode == "internal":
                return public.verify(message.data, signature)
        raise Unsupported(f"{message.mode} {message.hash}")


def pem_file(label, der):
    """The library reads keys from PEM files only. The file is gone when it is closed."""
    file = tempfile.NamedTemporaryFile("w", suffix=".pem")
    file.write(f"-----BEGIN {label}-----\n{base64.encodebytes(der).decode()}-----END {label}-----\n")
    file.flush()
    return file


FAMILIES = ["SHA2", "SHAKE"]
SIZES = ["128s", "128f", "192s", "192f", "256s", "256f"]

serve(
    {
        "name": "dilithium-py",
        "version": version("dilithium-py"),
        "lineage": "dilithium-py",
        "artifacts": artifacts("dilithium-py", "slh-dsa", "ecdsa"),
    },
    {
        **{f"ML-DSA-{number}": MlDsa(number) for number in (44, 65, 87)},
        **{f"SLH-DSA-{family}-{size}": SlhDsa(family, size) for family in FAMILIES for size in SIZES},
    },
)
