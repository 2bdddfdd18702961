import { describe, expect, it } from '@jest/globals';
import { Envelope, generateMasterKey, parseKeyRing, SealedBlobError } from '../../vault/index.js';
import type { PepperRepository } from './pepper.repository.js';
import { Pepper } from './pepper.js';

/** A table with one row for each name, as its primary key makes it. */
class Secrets implements Pick<PepperRepository, 'find' | 'add'> {
  readonly rows = new Map<string, Buffer>();
  reads = 0;
  fails = false;

  async find(name: string): Promise<Buffer | null> {
    this.reads++;
    if (this.fails) throw new Error('the database is away');
    return this.rows.get(name) ?? null;
  }

  async add(name: string, sealed: Buffer): Promise<void> {
    await Promise.resolve();
    if (!this.rows.has(name)) this.rows.set(name, sealed);
  }
}

const envelope = new Envelope(parseKeyRing(generateMasterKey()));
const pepperOf = (secrets: Secrets): Pepper => new Pepper(secrets as object as PepperRepository, envelope);

describe('the pepper of one-time codes', () => {
  it('is 32 bytes, stored sealed', async () => {
    const secrets = new Secrets();
    const bytes = await pepperOf(secrets).bytes();
    expect(bytes).toHaveLength(32);
    const [stored] = [...secrets.rows.values()];
    expect(stored!.includes(bytes)).toBe(false);
  });

  it('is the same for all processes, also when they start at once', async () => {
    const secrets = new Secrets();
    const all = await Promise.all(Array.from({ length: 8 }, () => pepperOf(secrets).bytes()));
    expect(new Set(all.map((bytes) => bytes.toString('hex'))).size).toBe(1);
  });

  it('is opened once', async () => {
    const secrets = new Secrets();
    const pepper = pepperOf(secrets);
    await Promise.all([pepper.bytes(), pepper.bytes()]);
    const { reads } = secrets;
    await pepper.bytes();
    expect(secrets.reads).toBe(reads);
  });

  it('is asked for again after a failure', async () => {
    const secrets = new Secrets();
    const pepper = pepperOf(secrets);
    secrets.fails = true;
    await expect(pepper.bytes()).rejects.toThrow('away');
    secrets.fails = false;
    await expect(pepper.bytes()).resolves.toHaveLength(32);
  });

  it('stops the start when the master key does not open it, and for no other failure', async () => {
    const secrets = new Secrets();
    await pepperOf(secrets).onApplicationBootstrap();
    const other = new Envelope(parseKeyRing(generateMasterKey()));
    const locked = new Pepper(secrets as object as PepperRepository, other);
    await expect(locked.onApplicationBootstrap()).rejects.toThrow(SealedBlobError);
    secrets.fails = true;
    await expect(locked.onApplicationBootstrap()).resolves.toBeUndefined();
  });
});
