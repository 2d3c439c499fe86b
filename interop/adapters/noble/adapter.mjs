// The adapter for @noble/post-quantum (ML-DSA, SLH-DSA) and @noble/curves (Ed25519, Ed25519ctx, Ed25519ph).
//
// usage: node adapter.mjs NODE_MODULES, the folder with the packages that package.json names.
//
// The packages know bare keys only. From a seed they make the expanded key, with which they sign; a seed is
// expanded once and then kept, as programs do it.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

if (process.argv.length !== 3) {
  console.error('usage: node adapter.mjs NODE_MODULES');
  process.exit(2);
}
const installed = createRequire(join(resolve(process.argv[2]), 'adapter.mjs'));
const load = (module) => import(pathToFileURL(installed.resolve(module)).href);

const { ml_dsa44, ml_dsa65, ml_dsa87 } = await load('@noble/post-quantum/ml-dsa.js');
const slh = await load('@noble/post-quantum/slh-dsa.js');
const { ed25519, ed25519ctx, ed25519ph } = await load('@noble/curves/ed25519.js');
const { sha224, sha256, sha384, sha512, sha512_224, sha512_256 } = await load('@noble/hashes/sha2.js');
const { sha3_224, sha3_256, sha3_384, sha3_512 } = await load('@noble/hashes/sha3.js');
const { shake128_32, shake256_64 } = await load('@noble/hashes/sha3.js');

const OPERATIONS = ['keygen', 'public', 'sign', 'verify'];
const HASHES = {
  'SHA-224': sha224,
  'SHA-256': sha256,
  'SHA-384': sha384,
  'SHA-512': sha512,
  'SHA-512/224': sha512_224,
  'SHA-512/256': sha512_256,
  'SHA3-224': sha3_224,
  'SHA3-256': sha3_256,
  'SHA3-384': sha3_384,
  'SHA3-512': sha3_512,
  SHAKE128: shake128_32,
  SHAKE256: shake256_64,
};

class Unsupported extends Error {}

// --- the libraries -----------------------------------------------------------------------------------------

/** ML-DSA and SLH-DSA: the library has the same interface for both. */
function postQuantum(signer, { externalMu }) {
  const expanded = keptExpansions(signer);
  // Leaving `extraEntropy` out asks for the hedged variant, `false` for the deterministic one.
  const entropy = (randomness) => {
    if (randomness === 'hedged') return {};
    return { extraEntropy: randomness === 'deterministic' ? false : bytes(randomness) };
  };
  const variant = ({ mode, hash }) => {
    if (mode === 'pure') return signer;
    if (mode === 'internal') return signer.internal;
    if (mode === 'external-mu' && externalMu) return signer.internal;
    if (mode === 'pre-hash' && hash in HASHES) return signer.prehash(HASHES[hash]);
    throw new Unsupported(`${mode} ${hash ?? ''}`);
  };
  const options = ({ mode, context }) => {
    if (mode === 'external-mu') return { externalMu: true };
    return mode === 'internal' ? {} : { context };
  };
  return {
    ability: {
      operations: OPERATIONS,
      keys: ['raw:expanded', 'raw:seed', 'raw:public'],
      context: true,
      hedged: true,
      deterministic: true,
      fixed_randomness: true,
      seed_keygen: true,
      external_mu: externalMu,
      pre_hash: acceptedHashes(signer),
      internal: true,
      version: version('@noble/post-quantum'),
    },
    keygen(seed) {
      const { secretKey, publicKey } = signer.keygen(seed);
      return { private: key('raw:expanded', secretKey), public: key('raw:public', publicKey) };
    },
    public: (given) => key('raw:public', signer.getPublicKey(expanded(given))),
    sign: (given, message, randomness) =>
      variant(message).sign(message.data, expanded(given), { ...options(message), ...entropy(randomness) }),
    verify: (given, message, signature) =>
      variant(message).verify(signature, message.data, bytes(given.bytes), options(message)),
  };
}

/** The library refuses functions that are too weak for the parameter set: those are not claimed. */
function acceptedHashes(signer) {
  return Object.keys(HASHES).filter((name) => {
    try {
      signer.prehash(HASHES[name]);
      return true;
    } catch {
      return false;
    }
  });
}

/** The expanded key of a private key. Those of the last seeds are kept: a slow set takes a second for each. */
function keptExpansions(signer) {
  const kept = new Map();
  return ({ form, bytes: hex }) => {
    if (form !== 'raw:seed') return bytes(hex);
    if (!kept.has(hex)) {
      if (kept.size === 16) kept.delete(kept.keys().next().value);
      kept.set(hex, signer.keygen(bytes(hex)).secretKey);
    }
    return kept.get(hex);
  };
}

function edwards() {
  const variant = ({ mode, hash, context }) => {
    if (mode === 'pure') return context.length === 0 ? ed25519 : ed25519ctx;
    if (mode === 'pre-hash' && hash === 'SHA-512') return ed25519ph;
    throw new Unsupported(`${mode} ${hash ?? ''}`);
  };
  const options = ({ context }) => (context.length === 0 ? {} : { context });
  // RFC 8032's rules. The library's own choice, when it is not told, is ZIP 215's.
  const strict = { zip215: false };
  return {
    ability: {
      operations: OPERATIONS,
      keys: ['raw:seed', 'raw:public'],
      context: true,
      hedged: true,
      deterministic: true,
      seed_keygen: true,
      pre_hash: ['SHA-512'],
      version: version('@noble/curves'),
    },
    keygen(seed) {
      const { secretKey, publicKey } = ed25519.keygen(seed);
      return { private: key('raw:seed', secretKey), public: key('raw:public', publicKey) };
    },
    public: (given) => key('raw:public', ed25519.getPublicKey(bytes(given.bytes))),
    sign: (given, message) => variant(message).sign(message.data, bytes(given.bytes), options(message)),
    verify(given, message, signature) {
      const rules = { ...options(message), ...strict };
      return variant(message).verify(signature, message.data, bytes(given.bytes), rules);
    },
  };
}

function schemes() {
  const found = {
    'ML-DSA-44': postQuantum(ml_dsa44, { externalMu: true }),
    'ML-DSA-65': postQuantum(ml_dsa65, { externalMu: true }),
    'ML-DSA-87': postQuantum(ml_dsa87, { externalMu: true }),
  };
  for (const family of ['SHA2', 'SHAKE']) {
    for (const size of ['128s', '128f', '192s', '192f', '256s', '256f']) {
      const signer = slh[`slh_dsa_${family.toLowerCase()}_${size}`];
      found[`SLH-DSA-${family}-${size}`] = postQuantum(signer, { externalMu: false });
    }
  }
  found.Ed25519 = edwards();
  return found;
}

function folder(name) {
  // Any file that the package exports tells where it is.
  return dirname(installed.resolve(`${name}/utils.js`));
}

function version(name) {
  const { version } = JSON.parse(readFileSync(join(folder(name), 'package.json'), 'utf8'));
  return `${name} ${version} (Node.js ${process.versions.node})`;
}

// --- the protocol of ../README.md --------------------------------------------------------------------------

const SCHEMES = schemes();
const HELLO = {
  protocol: 1,
  name: 'noble',
  version: version('@noble/post-quantum'),
  lineage: 'noble',
  artifacts: ['@noble/post-quantum', '@noble/curves', '@noble/hashes'].map(folder),
  algorithms: Object.fromEntries(Object.entries(SCHEMES).map(([name, { ability }]) => [name, ability])),
};

function answer(request) {
  if (request.op === 'hello') return HELLO;
  const scheme = SCHEMES[request.algorithm];
  if (scheme === undefined) throw new Unsupported(request.algorithm);
  for (const key of [request.private, request.public]) {
    if (key !== undefined && !scheme.ability.keys.includes(key.form)) throw new Unsupported(key.form);
  }
  switch (request.op) {
    case 'keygen':
      return scheme.keygen(request.seed === undefined ? undefined : bytes(request.seed));
    case 'public':
      return { public: scheme.public(request.private) };
    case 'sign':
      return { signature: hex(scheme.sign(request.private, message(request), request.randomness)) };
    case 'verify':
      return { valid: scheme.verify(request.public, message(request), bytes(request.signature)) };
    default:
      throw new Unsupported(request.op);
  }
}

const message = ({ mode, hash, context, message }) => ({
  mode,
  hash,
  context: bytes(context ?? ''),
  data: bytes(message),
});
const key = (form, value) => ({ form, bytes: hex(value) });
const hex = (value) => Buffer.from(value).toString('hex');
// A plain Uint8Array: the libraries take no Buffer for one.
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));

/** The libraries refuse what is malformed with an Error or a RangeError. Any other class of errors is a bug. */
function kind(error) {
  if (error instanceof Unsupported) return 'unsupported';
  return error.constructor === Error || error.constructor === RangeError ? 'refused' : 'failed';
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  let id = null;
  let reply;
  try {
    const request = JSON.parse(line);
    id = request.id;
    reply = answer(request);
  } catch (error) {
    if (kind(error) === 'failed') console.error(error);
    reply = { error: { kind: kind(error), reason: String(error.message ?? error).slice(0, 500) } };
  }
  process.stdout.write(`${JSON.stringify({ id, ...reply })}\n`);
}
