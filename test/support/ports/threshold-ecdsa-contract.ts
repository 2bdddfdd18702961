import { deepStrictEqual, notDeepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { EcdsaSignature, ThresholdEcdsa } from '../../../src/custody/index.js';

export interface ThresholdEcdsaRule {
  /** A rule that holds for every threshold ECDSA service. */
  sentence: string;
  /** Throws if the rule is violated. */
  verify(service: ThresholdEcdsa): Promise<void>;
}

const CALLERS = 50;
const DIGEST = createHash('sha256').update('Gatehouse').digest();

async function made(service: ThresholdEcdsa): Promise<string> {
  const name = randomUUID();
  await service.createKey(name);
  return name;
}

/** The public key recovered from a signature (SEC 1, section 4.1.6). */
const signerOf = ({ signature, recoveryId }: EcdsaSignature, digest: Buffer): string =>
  secp256k1.Signature.fromBytes(Uint8Array.from(signature))
    .addRecoveryBit(recoveryId)
    .recoverPublicKey(Uint8Array.from(digest))
    .toHex();

const RULES: readonly ThresholdEcdsaRule[] = [
  {
    sentence: `makes one key for a name, of ${CALLERS} at once too, and tells the same compressed public key ever after`,
    verify: async (service) => {
      const name = randomUUID();
      await Promise.all(Array.from({ length: CALLERS }, () => service.createKey(name)));
      const first = await service.publicKey(name, 0);
      secp256k1.Point.fromHex(first.toString('hex')).assertValidity();
      strictEqual(first.length, 33);
      await service.createKey(name);
      deepStrictEqual(await service.publicKey(name, 0), first);
    },
  },
  {
    sentence: 'has another key for every name and account',
    verify: async (service) => {
      const names = [await made(service), await made(service)];
      const keys = await Promise.all(names.flatMap((name) => [0, 1, 2].map((at) => service.publicKey(name, at))));
      strictEqual(new Set(keys.map((key) => key.toString('hex'))).size, keys.length);
    },
  },
  {
    sentence: 'signs a digest as it is, with the lower s, by the key of the account and no other',
    verify: async (service) => {
      const name = await made(service);
      for (const index of [0, 1]) {
        const signature = await service.sign(name, index, DIGEST);
        ok(!secp256k1.Signature.fromBytes(Uint8Array.from(signature.signature)).hasHighS());
        strictEqual(signerOf(signature, DIGEST), (await service.publicKey(name, index)).toString('hex'));
      }
    },
  },
  {
    sentence: 'never uses a nonce for two digests',
    verify: async (service) => {
      const name = await made(service);
      const other = createHash('sha256').update(DIGEST).digest();
      const [one, two] = [await service.sign(name, 0, DIGEST), await service.sign(name, 0, other)];
      notDeepStrictEqual(one.signature.subarray(0, 32), two.signature.subarray(0, 32));
    },
  },
  {
    sentence: 'signs nothing but 32 bytes',
    verify: async (service) => {
      const name = await made(service);
      for (const length of [0, 31, 33, 64]) await rejects(service.sign(name, 0, Buffer.alloc(length, 1)));
    },
  },
  {
    sentence: 'has no public key and no signature of a key that was never made',
    verify: async (service) => {
      await rejects(service.publicKey(randomUUID(), 0));
      await rejects(service.sign(randomUUID(), 0, DIGEST));
    },
  },
  {
    sentence: 'signs nothing with a key that was destroyed, and destroys none twice',
    verify: async (service) => {
      const name = await made(service);
      await service.sign(name, 0, DIGEST);
      await service.destroyKey(name);
      await service.destroyKey(name);
      await rejects(service.sign(name, 0, DIGEST));
    },
  },
];

/** The contract of a threshold ECDSA service. Run it with `it.each` against an adapter. */
export const thresholdEcdsaContract = (): readonly ThresholdEcdsaRule[] => RULES;
