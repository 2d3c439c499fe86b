"""What the adapters written in Python share: the protocol of ../README.md.

An adapter makes one `Scheme` for each algorithm and calls `serve`. What its library refuses it turns into
`Refused`, with `refusing`; every other exception is reported as a failure, never as a refusal.
"""

from __future__ import annotations

import contextlib
import functools
import json
import platform
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import Any, BinaryIO

HEDGED = "hedged"
DETERMINISTIC = "deterministic"

# Loaded keys that are kept: a key is loaded once and then used many times, as programs do it.
KEPT_KEYS = 64


class Refused(Exception):
    """The library looked at its input and will have none of it."""


class Unsupported(Exception):
    """The adapter does not know how."""


@contextlib.contextmanager
def refusing(*kinds: type[BaseException]) -> Iterator[None]:
    """Turns the exceptions by which a library refuses its input, and only those, into `Refused`."""
    try:
        yield
    except kinds as error:
        raise Refused(str(error) or type(error).__name__) from error


@dataclass(frozen=True)
class Key:
    """A key as it travels: its form, such as `raw:seed`, and its bytes."""

    form: str
    bytes: bytes


@dataclass(frozen=True)
class Message:
    """What is signed: the message, mu or M', as the mode says; `hash` with the mode `pre-hash` only."""

    mode: str
    hash: str | None
    context: bytes
    data: bytes


class Scheme:
    """One algorithm of a library. Keys are whatever `load_private` and `load_public` make of them."""

    ability: dict[str, Any]
    """The algorithm's entry in the reply to `hello`."""

    def generate(self, seed: bytes | None) -> tuple[Key, Key]:
        """A private key and its public one, from the seed or from fresh randomness."""
        raise NotImplementedError

    def load_private(self, key: Key) -> Any:
        raise NotImplementedError

    def load_public(self, key: Key) -> Any:
        raise NotImplementedError

    def public_of(self, private: Any) -> Key:
        raise NotImplementedError

    def sign(self, private: Any, message: Message, randomness: str | bytes) -> bytes:
        """Signs with `HEDGED` or `DETERMINISTIC` randomness or with the given bytes."""
        raise NotImplementedError

    def verify(self, public: Any, message: Message, signature: bytes) -> bool:
        raise NotImplementedError


def version(distribution: str) -> str:
    """The installed version of a package, and of the Python that runs it."""
    return f"{distribution} {metadata.version(distribution)} (Python {platform.python_version()})"


def artifacts(*distributions: str) -> list[str]:
    """The absolute paths of what the packages installed: their folders, and modules that stand alone."""
    found = set()
    for distribution in map(metadata.distribution, distributions):
        for file in distribution.files or []:
            top = file.parts[0]
            if top not in ("..", "__pycache__") and not top.endswith(".dist-info"):
                found.add(str(distribution.locate_file(top)))
    return sorted(found)


def given(source: bytes) -> Any:
    """A source of randomness that gives these bytes to whoever asks for as many."""

    def read(count: int) -> bytes:
        if count != len(source):
            raise Refused(f"{len(source)} bytes of randomness where {count} are wanted")
        return source

    return read


def serve(hello: dict[str, Any], schemes: dict[str, Scheme]) -> None:
    """Answers requests until stdin ends. `hello` has name, version, lineage and artifacts."""
    # A library that prints would break the protocol: what it has to say goes to stderr.
    replies, sys.stdout = sys.stdout, sys.stderr
    adapter = _Adapter(hello, schemes)
    requests: BinaryIO = sys.stdin.buffer
    for line in requests:
        print(json.dumps(adapter.reply(line), separators=(",", ":")), file=replies, flush=True)


class _Adapter:
    def __init__(self, hello: dict[str, Any], schemes: dict[str, Scheme]) -> None:
        self._hello = hello
        self._schemes = schemes
        self._private = functools.lru_cache(KEPT_KEYS)(lambda name, key: schemes[name].load_private(key))
        self._public = functools.lru_cache(KEPT_KEYS)(lambda name, key: schemes[name].load_public(key))

    def reply(self, line: bytes) -> dict[str, Any]:
        number = None
        try:
            request = json.loads(line)
            number = request["id"]
            return {"id": number, **self._answer(request)}
        except Refused as error:
            return _error(number, "refused", str(error))
        except Unsupported as error:
            return _error(number, "unsupported", str(error))
        except Exception as error:  # noqa: BLE001 (whatever it is, the suite has to hear of it)
            traceback.print_exc()
            return _error(number, "failed", f"{type(error).__name__}: {error}")

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        operation = request["op"]
        if operation == "hello":
            abilities = {name: scheme.ability for name, scheme in self._schemes.items()}
            return {"protocol": 1, **self._hello, "algorithms": abilities}
        name = request["algorithm"]
        if name not in self._schemes:
            raise Unsupported(name)
        scheme = self._schemes[name]
        if operation not in scheme.ability["operations"]:
            raise Unsupported(operation)
        if operation == "keygen":
            seed = request.get("seed")
            private, public = scheme.generate(None if seed is None else bytes.fromhex(seed))
            return {"private": _written(private), "public": _written(public)}
        if operation == "public":
            private = self._private(name, self._key(scheme, request["private"]))
            return {"public": _written(scheme.public_of(private))}
        if operation == "sign":
            private = self._private(name, self._key(scheme, request["private"]))
            randomness = request["randomness"]
            if randomness not in (HEDGED, DETERMINISTIC):
                randomness = bytes.fromhex(randomness)
            return {"signature": scheme.sign(private, _message(request), randomness).hex()}
        public = self._public(name, self._key(scheme, request["public"]))
        signature = bytes.fromhex(request["signature"])
        return {"valid": scheme.verify(public, _message(request), signature)}

    def _key(self, scheme: Scheme, key: dict[str, str]) -> Key:
        if key["form"] not in scheme.ability["keys"]:
            raise Unsupported(key["form"])
        return Key(key["form"], bytes.fromhex(key["bytes"]))


def _written(key: Key) -> dict[str, str]:
    return {"form": key.form, "bytes": key.bytes.hex()}


def _message(request: dict[str, Any]) -> Message:
    context = bytes.fromhex(request.get("context", ""))
    return Message(request["mode"], request.get("hash"), context, bytes.fromhex(request["message"]))


def _error(number: Any, kind: str, reason: str) -> dict[str, Any]:
    return {"id": number, "error": {"kind": kind, "reason": reason[:500]}}
