import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Envelope } from './envelope.js';
import { generateMasterKey, parseKeyRing } from './key-ring-text.js';
import { KeyVault, type WrappedKey } from './key-vault.js';
import type { SealContext } from './seal-context.js';
import { SecretBytes } from './secret-bytes.js';
import { KeyVaultUnavailableError, SealedBlobError } from './vault.errors.js';

const CONTEXT: SealContext = {
  purpose: 'wallet',
  environmentId: 'env-1',
  userId: 'user-1',
  subjectId: 'wallet-1',
  kind: 'hd-entropy',
};
const SECRET = Buffer.from('only the owner reads this');

const OLD_KEY = generateMasterKey();
const NEW_KEY = generateMasterKey();
const before = new Envelope(parseKeyRing(OLD_KEY));
const during = new Envelope(parseKeyRing(`${NEW_KEY},${OLD_KEY}`));
const after = new Envelope(parseKeyRing(NEW_KEY));

const field = fc.string({ minLength: 1, maxLength: 20 });
const contexts = fc.record(
  { purpose: field, environmentId: field, userId: field, subjectId: field, kind: field },
  { requiredKeys: ['purpose', 'environmentId', 'subjectId', 'kind'] },
);

describe('Envelope', () => {
  it('opens what it sealed, of any length and context', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 4096 }), contexts, async (plaintext, context) => {
        const opened = await before.open(await before.seal(plaintext, context), context);
        expect(opened.expose().equals(plaintext)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('seals SecretBytes without wiping them', async () => {
    const secret = SecretBytes.random(32);
    const blob = await before.seal(secret, CONTEXT);

    expect((await before.open(blob, CONTEXT)).expose().equals(secret.expose())).toBe(true);
  });

  it('shows nothing of the secret and never seals it alike twice', async () => {
    const [first, second] = [await before.seal(SECRET, CONTEXT), await before.seal(SECRET, CONTEXT)];

    expect(first.includes('owner')).toBe(false);
    expect(first.equals(second)).toBe(false);
  });

  it('rejects a blob with any one byte changed, wherever it is', async () => {
    const blob = await before.seal(SECRET, CONTEXT);
    const flips = fc.integer({ min: 1, max: 255 });

    for (let position = 0; position < blob.length; position++) {
      const [mask = 1] = fc.sample(flips, 1);
      const altered = Buffer.from(blob);
      altered[position] = (altered[position] ?? 0) ^ mask;
      await expect(before.open(altered, CONTEXT)).rejects.toBeInstanceOf(SealedBlobError);
    }
  });

  it('rejects every truncation and any appended byte', async () => {
    const blob = await before.seal(SECRET, CONTEXT);

    for (let length = 0; length < blob.length; length++) {
      await expect(before.open(blob.subarray(0, length), CONTEXT)).rejects.toBeInstanceOf(SealedBlobError);
    }
    await expect(before.open(Buffer.concat([blob, Buffer.of(0)]), CONTEXT)).rejects.toBeInstanceOf(SealedBlobError);
  });

  it.each(['purpose', 'environmentId', 'userId', 'subjectId', 'kind'] as const)(
    'rejects a ciphertext moved to another %s',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(contexts, field, async (context, other) => {
          fc.pre(context[name] !== other);
          const blob = await before.seal(SECRET, context);
          await expect(before.open(blob, { ...context, [name]: other })).rejects.toEqual(
            new SealedBlobError('not-authentic'),
          );
        }),
        { numRuns: 50 },
      );
    },
  );

  it('rejects the blob of a user where there is none, and the reverse', async () => {
    const { userId: _, ...withoutUser } = CONTEXT;

    await expect(before.open(await before.seal(SECRET, CONTEXT), withoutUser)).rejects.toThrow('not-authentic');
    await expect(before.open(await before.seal(SECRET, withoutUser), CONTEXT)).rejects.toThrow('not-authentic');
  });

  it('rejects parts of two genuine blobs joined together', async () => {
    const [one, two] = [await before.seal(SECRET, CONTEXT), await before.seal(SECRET, CONTEXT)];
    const payloadStart = one.length - SECRET.length - 28;

    const joined = Buffer.concat([one.subarray(0, payloadStart), two.subarray(payloadStart)]);

    await expect(before.open(joined, CONTEXT)).rejects.toThrow('not-authentic');
  });

  it('says in its error which check failed and nothing else', async () => {
    const blob = await before.seal(SECRET, CONTEXT);

    const error: unknown = await before.open(blob, { ...CONTEXT, userId: 'user-2' }).catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(SealedBlobError);
    expect(String(error)).toBe('SealedBlobError: Sealed secret refused: not-authentic.');
    expect(Object.keys(error as SealedBlobError).sort()).toEqual(['name', 'reason']);
  });

  describe('across a rotation of the master key', () => {
    it('rewraps to the same plaintext under the new key, after which the old key is not needed', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), contexts, async (plaintext, context) => {
          const blob = await before.seal(plaintext, context);
          const rewrapped = await during.rewrap(blob, context);

          expect(rewrapped && after.keyIdOf(rewrapped)).toBe(NEW_KEY.slice(0, 8));
          expect((await after.open(rewrapped ?? blob, context)).expose().equals(plaintext)).toBe(true);
          expect((await during.open(blob, context)).expose().equals(plaintext)).toBe(true);
        }),
        { numRuns: 100 },
      );
    });

    it('leaves the payload as it is', async () => {
      const blob = await before.seal(SECRET, CONTEXT);
      const rewrapped = await during.rewrap(blob, CONTEXT);
      const payloadBytes = 28 + SECRET.length;

      expect(rewrapped?.subarray(-payloadBytes).equals(blob.subarray(-payloadBytes))).toBe(true);
    });

    it('answers null for a blob that is under the current key already', async () => {
      const blob = await during.seal(SECRET, CONTEXT);

      expect(await during.rewrap(blob, CONTEXT)).toBeNull();
    });

    it('does not rewrap for another context', async () => {
      const blob = await before.seal(SECRET, CONTEXT);

      await expect(during.rewrap(blob, { ...CONTEXT, kind: 'other' })).rejects.toThrow('not-authentic');
    });

    it('does not open what was left under a dropped key', async () => {
      const blob = await before.seal(SECRET, CONTEXT);

      expect(after.keyIdOf(blob)).toBe(OLD_KEY.slice(0, 8));
      await expect(after.open(blob, CONTEXT)).rejects.toEqual(new SealedBlobError('unknown-key'));
      await expect(after.rewrap(blob, CONTEXT)).rejects.toEqual(new SealedBlobError('unknown-key'));
    });
  });

  describe('over a vault out of process', () => {
    it('works with long key names and large wrapped keys', async () => {
      const vault = new RemoteVault();
      const envelope = new Envelope(vault);

      const blob = await envelope.seal(SECRET, CONTEXT);

      expect(envelope.keyIdOf(blob)).toBe(vault.currentKeyId);
      expect((await envelope.open(blob, CONTEXT)).expose().equals(SECRET)).toBe(true);
      await expect(envelope.open(blob, { ...CONTEXT, userId: 'user-2' })).rejects.toThrow('not-authentic');
    });

    it('wipes the data key after sealing and opening, and when the vault fails', async () => {
      const vault = new RemoteVault();
      const envelope = new Envelope(vault);
      const blob = await envelope.seal(SECRET, CONTEXT);
      await envelope.open(blob, CONTEXT);
      vault.down = true;
      await expect(envelope.seal(SECRET, CONTEXT)).rejects.toThrow('connection refused');

      expect(vault.seen).toHaveLength(3);
      for (const dataKey of vault.seen) expect(() => dataKey.expose()).toThrow('wiped');
    });

    it('keeps a blob that would no longer open if it were rewrapped', async () => {
      const vault = new RemoteVault();
      const envelope = new Envelope(vault);
      const blob = await envelope.seal(SECRET, CONTEXT);
      const ofAnother = (): Promise<WrappedKey> => vault.wrap(SecretBytes.random(32), CONTEXT);
      Object.assign(vault, { currentKeyId: 'the-next-key', rewrap: ofAnother });

      await expect(envelope.rewrap(blob, CONTEXT)).rejects.toThrow(KeyVaultUnavailableError);
      expect((await envelope.open(blob, CONTEXT)).expose().equals(SECRET)).toBe(true);
    });

    it('is an outage when the vault leaves a data key under the key that it was under', async () => {
      const vault = new RemoteVault();
      const envelope = new Envelope(vault);
      const blob = await envelope.seal(SECRET, CONTEXT);
      const behind = async (wrapped: WrappedKey): Promise<WrappedKey> => wrapped;
      Object.assign(vault, { currentKeyId: 'the-next-key', rewrap: behind });

      // Each run would take it for moved, write it down and find it again.
      await expect(envelope.rewrap(blob, CONTEXT)).rejects.toThrow(KeyVaultUnavailableError);
    });

    it('refuses to rewrap a blob that was altered, which is not the fault of the vault', async () => {
      const vault = new RemoteVault();
      const envelope = new Envelope(vault);
      const blob = await envelope.seal(SECRET, CONTEXT);
      blob[blob.length - 1]! ^= 1;
      Object.assign(vault, { currentKeyId: 'the-next-key' });

      await expect(envelope.rewrap(blob, CONTEXT)).rejects.toEqual(new SealedBlobError('not-authentic'));
    });

    it('lets an outage through as itself, not as a refusal of the blob', async () => {
      const vault = new RemoteVault();
      const envelope = new Envelope(vault);
      const blob = await envelope.seal(SECRET, CONTEXT);
      vault.down = true;

      await expect(envelope.open(blob, CONTEXT)).rejects.not.toBeInstanceOf(SealedBlobError);
      await expect(envelope.open(blob, CONTEXT)).rejects.toThrow('connection refused');
    });
  });
});

/** Stands for a cloud KMS: it keeps the data keys and gives out a handle of 200 bytes. */
class RemoteVault extends KeyVault {
  readonly currentKeyId = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
  readonly seen: SecretBytes[] = [];
  down = false;
  readonly #held = new Map<string, { dataKey: Buffer; context: string }>();

  async wrap(dataKey: SecretBytes, context: SealContext): Promise<WrappedKey> {
    this.seen.push(dataKey);
    this.assertUp();
    const bytes = SecretBytes.random(200).expose();
    this.#held.set(bytes.toString('hex'), {
      dataKey: Buffer.from(dataKey.expose()),
      context: JSON.stringify(context),
    });
    return { keyId: this.currentKeyId, bytes };
  }

  async unwrap(wrapped: WrappedKey, context: SealContext): Promise<SecretBytes> {
    this.assertUp();
    const held = this.#held.get(wrapped.bytes.toString('hex'));
    if (held === undefined || held.context !== JSON.stringify(context)) throw new SealedBlobError('not-authentic');
    const dataKey = SecretBytes.from(Buffer.from(held.dataKey));
    this.seen.push(dataKey);
    return dataKey;
  }

  async rewrap(wrapped: WrappedKey, context: SealContext): Promise<WrappedKey> {
    return this.wrap(await this.unwrap(wrapped, context), context);
  }

  async retireOlderKeys(): Promise<string> {
    return '';
  }

  private assertUp(): void {
    if (this.down) throw new Error('connection refused');
  }
}
