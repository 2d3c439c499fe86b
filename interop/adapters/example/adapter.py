"""An adapter of 40 lines: put your own implementation where `mine` is. The protocol: ../README.md."""

import json
import os
import sys

import dilithium_py
from dilithium_py.ml_dsa import ML_DSA_65 as mine


def answer(ask):
    if ask["op"] == "hello":
        ability = {"operations": ["keygen", "sign", "verify"], "keys": ["raw:expanded", "raw:public"]}
        ability |= {"context": True, "hedged": True, "deterministic": True, "seed_keygen": True}
        artifacts = [os.path.dirname(os.path.abspath(dilithium_py.__file__))]
        return {"protocol": 1, "name": "mine", "version": "1.0", "lineage": "mine",
                "artifacts": artifacts, "algorithms": {"ML-DSA-65": ability}}
    if ask["op"] == "keygen":
        seed = ask.get("seed")
        public, private = mine.key_derive(bytes.fromhex(seed)) if seed else mine.keygen()
        return {"private": {"form": "raw:expanded", "bytes": private.hex()},
                "public": {"form": "raw:public", "bytes": public.hex()}}
    message, context = bytes.fromhex(ask["message"]), bytes.fromhex(ask["context"])
    if ask["op"] == "sign":
        key, deterministic = bytes.fromhex(ask["private"]["bytes"]), ask["randomness"] == "deterministic"
        return {"signature": mine.sign(key, message, context, deterministic).hex()}
    key, signature = bytes.fromhex(ask["public"]["bytes"]), bytes.fromhex(ask["signature"])
    return {"valid": mine.verify(key, message, signature, context)}


for line in sys.stdin:
    request = json.loads(line)
    try:
        reply = answer(request)
    except ValueError as error:  # How this implementation refuses; any other exception ends the adapter.
        reply = {"error": {"kind": "refused", "reason": str(error)}}
    print(json.dumps({"id": request["id"], **reply}), flush=True)
