import { createHash, createPrivateKey, createPublicKey, diffieHellman } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ed25519Verify } from '../src/custody/derivation/ed25519-key.js';
import { secp256k1Verify } from '../src/custody/derivation/secp256k1-key.js';
import { gcmOpen } from '../src/vault/aes-gcm.js';
import { kemOf } from '../src/vault/index.js';

/**
 * The vectors of Project Wycheproof (Apache-2.0) are not part of this repository. WYCHEPROOF names the folder
 * `testvectors_v1` of a clone of github.com/C2SP/wycheproof; without it this is no suite, and the kinds of mistakes that
 * they look for are tried by `signature-edges.spec.ts`, `aes-gcm.spec.ts` and `hpke.spec.ts` alone.
 */
const folder = process.env['WYCHEPROOF'] ?? '';

interface Vector {
  readonly tcId: number;
  readonly result: 'valid' | 'invalid' | 'acceptable';
  readonly flags: readonly string[];
  readonly [field: string]: unknown;
}
interface Group {
  readonly publicKey: { readonly pk: string; readonly uncompressed: string };
  readonly [field: string]: unknown;
  readonly tests: readonly Vector[];
}

const groupsOf = (name: string): Group[] =>
  (JSON.parse(readFileSync(join(folder, `${name}_test.json`), 'utf8')) as { testGroups: Group[] }).testGroups;
const bytes = (value: unknown): Buffer => Buffer.from(value as string, 'hex');
/** What refuses by an exception refuses as well. */
const holds = (check: () => boolean): boolean => {
  try {
    return check();
  } catch {
    return false;
  }
};

/** Vectors of which something else is made than they say, with how many there were. */
async function mistaken(
  groups: readonly Group[],
  of: (vector: Vector, group: Group) => Promise<boolean> | boolean,
  should: (vector: Vector) => boolean = ({ result }) => result === 'valid',
): Promise<{ looked: number; wrong: number[] }> {
  const wrong: number[] = [];
  let looked = 0;
  for (const group of groups) {
    for (const vector of group.tests) {
      looked++;
      if ((await of(vector, group)) !== should(vector)) wrong.push(vector.tcId);
    }
  }
  return { looked, wrong };
}

/** `r | s` of DER as DER has to be (X.690, section 11), which is what Bitcoin takes (BIP-66). */
function compactOf(der: Buffer): Buffer {
  const integers: Buffer[] = [];
  if (der[0] !== 0x30 || der[1] !== der.length - 2 || der.length > 72) throw new Error('no sequence');
  for (let at = 2; at < der.length;) {
    const length = der[at + 1] ?? 0;
    const value = der.subarray(at + 2, at + 2 + length);
    const isPadded = value[0] === 0 && (value[1] ?? 0) < 0x80 && length > 1;
    if (der[at] !== 2 || length === 0 || value.length !== length || value[0]! >= 0x80 || isPadded) {
      throw new Error('no integer');
    }
    const stripped = value[0] === 0 ? value.subarray(1) : value;
    if (stripped.length > 32) throw new Error('too long');
    integers.push(Buffer.concat([Buffer.alloc(32 - stripped.length), stripped]));
    at += 2 + length;
  }
  if (integers.length !== 2) throw new Error('not two integers');
  return Buffer.concat(integers);
}

/** Half the order of secp256k1: of both values of `s` one is above it, and that one is refused (BIP-62, EIP-2). */
const HALF = bytes('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0');

describe('the vectors of Project Wycheproof', () => {
  it('of Ed25519 are verified as they say', async () => {
    const of = ({ msg, sig }: Vector, { publicKey }: Group): boolean =>
      holds(() => ed25519Verify(bytes(msg), bytes(publicKey.pk), bytes(sig)));
    const { looked, wrong } = await mistaken(groupsOf('ed25519'), of);
    expect([looked > 100, wrong]).toEqual([true, []]);
  });

  it('of ECDSA on secp256k1 are verified as they say, but for the higher value of s', async () => {
    const of = ({ msg, sig }: Vector, { publicKey }: Group): boolean =>
      holds(() =>
        secp256k1Verify(createHash('sha256').update(bytes(msg)).digest(), bytes(publicKey.uncompressed), bytes(sig)),
      );
    const should = ({ result, sig }: Vector): boolean =>
      result === 'valid' && bytes(sig).subarray(32).compare(HALF) <= 0;
    const { looked, wrong } = await mistaken(groupsOf('ecdsa_secp256k1_sha256_p1363'), of, should);
    expect([looked > 200, wrong]).toEqual([true, []]);
  });

  it('of ECDSA as Bitcoin has it are verified as they say', async () => {
    const of = ({ msg, sig }: Vector, { publicKey }: Group): boolean =>
      holds(() =>
        secp256k1Verify(
          createHash('sha256').update(bytes(msg)).digest(),
          bytes(publicKey.uncompressed),
          compactOf(bytes(sig)),
        ),
      );
    const { looked, wrong } = await mistaken(groupsOf('ecdsa_secp256k1_sha256_bitcoin'), of);
    expect([looked > 400, wrong]).toEqual([true, []]);
  });

  it('of AES-256-GCM with 96 bits of nonce and 128 of tag open as they say', async () => {
    const groups = groupsOf('aes_gcm').filter(
      ({ keySize, ivSize, tagSize }) => keySize === 256 && ivSize === 96 && tagSize === 128,
    );
    const of = ({ key, iv, tag, ct, aad, msg }: Vector): boolean =>
      holds(() =>
        gcmOpen(bytes(key), Buffer.concat([bytes(iv), bytes(tag), bytes(ct)]), bytes(aad)).equals(bytes(msg)),
      );
    const { looked, wrong } = await mistaken(groups, of);
    expect([looked > 50, wrong]).toEqual([true, []]);
  });

  it('of X25519 agree as they say, and nothing is sealed to a point of low order', async () => {
    const isLow = ({ flags }: Vector): boolean => flags.includes('ZeroSharedSecret');
    const agreed = ({ public: other, private: own, shared }: Vector): boolean =>
      holds(() => {
        const prefix = { own: bytes('302e020100300506032b656e04220420'), other: bytes('302a300506032b656e032100') };
        const der = { format: 'der' } as const;
        const privateKey = createPrivateKey({ key: Buffer.concat([prefix.own, bytes(own)]), ...der, type: 'pkcs8' });
        const publicKey = createPublicKey({ key: Buffer.concat([prefix.other, bytes(other)]), ...der, type: 'spki' });
        return diffieHellman({ privateKey, publicKey }).equals(bytes(shared));
      });
    const taken = async ({ public: other }: Vector): Promise<boolean> => (await kemOf(bytes(other))) === 'X25519';
    const groups = groupsOf('x25519');
    expect((await mistaken(groups, agreed, (vector) => !isLow(vector))).wrong).toEqual([]);
    const { looked, wrong } = await mistaken(groups, taken, (vector) => !isLow(vector));
    expect([looked > 400, wrong]).toEqual([true, []]);
  });

  it('of ECDH on P-256: nothing is sealed to what is no uncompressed point of the curve', async () => {
    const of = async ({ public: other }: Vector): Promise<boolean> => (await kemOf(bytes(other))) === 'P256';
    const should = ({ result, public: other }: Vector): boolean => result === 'valid' && bytes(other).length === 65;
    const { looked, wrong } = await mistaken(groupsOf('ecdh_secp256r1_ecpoint'), of, should);
    expect([looked > 300, wrong]).toEqual([true, []]);
  });
});
