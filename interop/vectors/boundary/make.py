#!/usr/bin/env python3
"""Writes ml_dsa_z_bound.json: ML-DSA signatures that only the bound on z decides. README.md says how and why.

    pip install dilithium-py==1.5.1
    python3 make.py > ml_dsa_z_bound.json
"""

import json
from importlib.metadata import version

from dilithium_py.ml_dsa import ML_DSA_44, ML_DSA_65, ML_DSA_87

MESSAGE = b"only the bound on z decides"
SETS = [("ML-DSA-44", ML_DSA_44), ("ML-DSA-65", ML_DSA_65), ("ML-DSA-87", ML_DSA_87)]


def vector(ring, coefficients):
    """A vector of polynomials, from lists of their coefficients."""
    return ring.M.vector([ring.R(polynomial) for polynomial in coefficients])


def sign_without_a_key(ml_dsa, public, z):
    """The signature (c~, z, h = 0) under a public key whose t1 is zero: FIPS 204 Algorithm 8, lines 5 to 12."""
    rho, t1 = ml_dsa._unpack_pk(public)
    assert all(coefficient == 0 for row in t1._data for poly in row for coefficient in poly.coeffs)
    encoded = bytes([0, 0]) + MESSAGE
    mu = ml_dsa._h(ml_dsa._h(public, 64) + encoded, 64)
    w = (ml_dsa._expand_matrix_from_seed(rho) @ z.to_ntt()).from_ntt()
    w1 = w.high_bits(2 * ml_dsa.gamma_2).bit_pack_w(ml_dsa.gamma_2)
    c_tilde = ml_dsa._h(mu + w1, ml_dsa.c_tilde_bytes)
    no_hint = vector(ml_dsa, [[0] * 256] * ml_dsa.k)
    return ml_dsa._pack_sig(c_tilde, z, no_hint)


def cases(ml_dsa, public):
    bound = ml_dsa.gamma_1 - ml_dsa.beta
    # The first coefficient of the first polynomial, and the last of the last.
    places = {1: (0, 0), -1: (ml_dsa.l - 1, 255)}
    for sign, (polynomial, index) in places.items():
        for size, valid in [(bound - 1, True), (bound, False)]:
            # All other coefficients are small and differ, so that none can be mistaken for another.
            z = [[(place + 7 * row) % 11 - 5 for place in range(256)] for row in range(ml_dsa.l)]
            z[polynomial][index] = sign * size
            signature = sign_without_a_key(ml_dsa, public, vector(ml_dsa, z))
            assert ml_dsa.verify(public, MESSAGE, signature) == valid
            yield {
                "polynomial": polynomial,
                "index": index,
                "coefficient": sign * size,
                "valid": valid,
                "signature": signature.hex(),
            }


def made_for(name, ml_dsa):
    public = ml_dsa._pack_pk(bytes(range(32)), vector(ml_dsa, [[0] * 256] * ml_dsa.k))
    return {
        "algorithm": name,
        "public_key": public.hex(),
        "message": MESSAGE.hex(),
        "cases": list(cases(ml_dsa, public)),
    }


def main():
    source = f"interop/vectors/boundary/make.py with dilithium-py {version('dilithium-py')}"
    print(json.dumps({"source": source, "sets": [made_for(*row) for row in SETS]}, indent=1))


main()
