import { deepStrictEqual, notDeepStrictEqual, ok, rejects } from 'node:assert/strict';
import {
  SealedBlobError,
  SecretBytes,
  type KeyVault,
  type SealContext,
  type WrappedKey,
} from '../../../src/vault/index.js';

/** An adapter under test: a vault, and a way to get the same one with its current key replaced. */
export interface VaultUnderTest {
  vault: KeyVault;
  rotate(): Promise<KeyVault>;
}

export interface ContractRule {
  /** A rule that holds for every adapter of the port. */
  sentence: string;
  /** Throws if the rule is violated. */
  verify(subject: VaultUnderTest): Promise<void>;
}

const CONTEXT: SealContext = { purpose: 'test', environmentId: 'e', userId: 'u', subjectId: 's', kind: 'k' };
/** Each differs in one field, except the last, which moves a letter from one field to its neighbour. */
const OTHERS: SealContext[] = [
  { ...CONTEXT, purpose: 'other' },
  { ...CONTEXT, environmentId: 'other' },
  { ...CONTEXT, userId: 'other' },
  { ...CONTEXT, userId: undefined },
  { ...CONTEXT, subjectId: 'other' },
  { ...CONTEXT, kind: 'other' },
  { ...CONTEXT, environmentId: 'eu', userId: undefined },
];

const dataKey = (): SecretBytes => SecretBytes.from(Buffer.from(Array.from({ length: 32 }, (_, at) => at * 7)));
const wrap = (vault: KeyVault): Promise<WrappedKey> => vault.wrap(dataKey(), CONTEXT);
const opened = async (vault: KeyVault, wrapped: WrappedKey): Promise<Buffer> =>
  Buffer.from((await vault.unwrap(wrapped, CONTEXT)).expose());
const refuses = (vault: KeyVault, wrapped: WrappedKey, context = CONTEXT): Promise<void> =>
  rejects(vault.unwrap(wrapped, context), (error) => error instanceof SealedBlobError);

/** The contract of `KeyVault`. Run it with `it.each` against a real adapter. */
export const KEY_VAULT_CONTRACT: readonly ContractRule[] = [
  {
    sentence: 'gives back the data key it wrapped',
    verify: async ({ vault }) => deepStrictEqual(await opened(vault, await wrap(vault)), dataKey().expose()),
  },
  {
    sentence: 'gives back the new data key it made, another one each time',
    verify: async ({ vault }) => {
      const [one, two] = [await vault.newDataKey(CONTEXT), await vault.newDataKey(CONTEXT)];
      deepStrictEqual(await opened(vault, one.wrapped), one.dataKey.expose());
      deepStrictEqual(one.dataKey.byteLength, 32);
      notDeepStrictEqual(one.dataKey.expose(), two.dataKey.expose());
      deepStrictEqual(one.wrapped.keyId, vault.currentKeyId);
    },
  },
  {
    sentence: 'names the current key on what it wraps, in printable ASCII',
    verify: async ({ vault }) => {
      const { keyId } = await wrap(vault);
      deepStrictEqual(keyId, vault.currentKeyId);
      ok(/^[\x21-\x7e]{1,255}$/.test(keyId));
    },
  },
  {
    sentence: 'wraps one data key differently each time, and never in the clear',
    verify: async ({ vault }) => {
      const [first, second] = [await wrap(vault), await wrap(vault)];
      notDeepStrictEqual(first.bytes, second.bytes);
      ok(!first.bytes.includes(dataKey().expose()));
      ok(first.bytes.byteLength >= 1 && first.bytes.byteLength <= 0xffff);
    },
  },
  {
    sentence: 'unwraps under the very context it wrapped with and no other',
    verify: async ({ vault }) => {
      const wrapped = await wrap(vault);
      for (const context of OTHERS) await refuses(vault, wrapped, context);
    },
  },
  {
    sentence: 'rewraps under the very context it wrapped with and no other',
    verify: async ({ vault, rotate }) => {
      const wrapped = await wrap(vault);
      const rotated = await rotate();
      for (const context of OTHERS) {
        await rejects(rotated.rewrap(wrapped, context), (error) => error instanceof SealedBlobError);
      }
    },
  },
  {
    sentence: 'refuses wrapped keys that were altered or cut',
    verify: async ({ vault }) => {
      const { keyId, bytes } = await wrap(vault);
      for (const at of [0, Math.floor(bytes.length / 2), bytes.length - 1]) {
        const altered = Buffer.from(bytes);
        altered[at] = altered.readUInt8(at) ^ 1;
        await refuses(vault, { keyId, bytes: altered });
      }
      await refuses(vault, { keyId, bytes: bytes.subarray(0, bytes.length - 1) });
    },
  },
  {
    sentence: 'refuses a key it does not have',
    verify: async ({ vault }) => refuses(vault, { ...(await wrap(vault)), keyId: 'nobody-has-this-key' }),
  },
  {
    sentence: 'opens what was wrapped before a rotation, and rewraps it under the new key',
    verify: async ({ vault, rotate }) => {
      const old = await wrap(vault);
      const rotated = await rotate();
      notDeepStrictEqual(rotated.currentKeyId, old.keyId);
      deepStrictEqual(await opened(rotated, old), dataKey().expose());
      const fresh = await rotated.rewrap(old, CONTEXT);
      deepStrictEqual(fresh.keyId, rotated.currentKeyId);
      deepStrictEqual(await opened(rotated, fresh), dataKey().expose());
      await rejects(rotated.rewrap(old, OTHERS[0] ?? CONTEXT));
    },
  },
  { sentence: 'says that it is in health while it is', verify: ({ vault }) => vault.health() },
];
