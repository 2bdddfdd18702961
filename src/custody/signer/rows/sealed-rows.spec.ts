import { describe, expect, it } from '@jest/globals';
import { remotePort } from '../process/signer-operations.js';
import { KeysGone, withRows, type RowPlace, type SealedKind, type SealedRows } from './sealed-rows.js';

const READ = Buffer.from('as it is stored');
const NOT_HANDED_OVER = Buffer.alloc(0);
const PLACE = { environmentId: 'e', userId: 'u', keysId: 'k' };
/** Nothing of these is at rest before they are done. */
const OF_NEW_KEYS = [
  'wallet.createSeed',
  'wallet.createReceiver',
  'threshold.beginKeygen',
  'threshold.makeKey',
  'threshold.proveKey',
  'threshold.deal',
  'split.beginKeygen',
  'split.takeShares',
  'split.beginSigning',
  'split.assertIsFor',
];
/** A sealed secret is what they answer with, or they let it leave. */
const OF_OPERATORS = [
  'wallet.release',
  'wallet.admit',
  'wallet.rewrap',
  'threshold.rewrapShares',
  'threshold.rewrapState',
];

class Rows implements SealedRows {
  readonly asked: [SealedKind, RowPlace][] = [];

  async read(kind: SealedKind, place: RowPlace): Promise<Buffer> {
    this.asked.push([kind, place]);
    if (place.keysId === 'gone') throw new KeysGone('There is no such seed.');
    return READ;
  }

  async findProblem(): Promise<null> {
    return null;
  }
}

describe('sealed rows that a signer reads itself', () => {
  const nobody = {
    isUp: true,
    restarts: 0,
    readsRows: true,
    assertReachable: async () => undefined,
    call: async () => null,
    close: async () => undefined,
  };
  const operations = (['wallet', 'threshold', 'split'] as const).flatMap((port) =>
    Object.keys(remotePort(port, nobody)).map((name) => `${port}.${name}`),
  );
  /** Whichever argument of it names the keys, these do. */
  const asked = async (operation: string, sealed: Buffer) => {
    const rows = new Rows();
    const keys = { ...PLACE, generation: 3, sealed };
    return { rows, given: await withRows(rows, operation, [keys, keys, keys]), keys };
  };

  it('are read for each operation that uses keys which are at rest, and for no other', async () => {
    const read: string[] = [];
    for (const operation of operations) {
      const { rows, given } = await asked(operation, NOT_HANDED_OVER);
      if (rows.asked.length > 0) read.push(operation);
      expect(given.filter((one) => (one as { sealed: Buffer }).sealed === READ)).toHaveLength(rows.asked.length);
    }
    expect([...read, ...OF_NEW_KEYS, ...OF_OPERATORS].sort()).toEqual([...operations].sort());
    expect(read).toHaveLength(11);
  });

  it('are found by all that the instance says of them', async () => {
    const { rows } = await asked('threshold.sign', NOT_HANDED_OVER);
    expect(rows.asked).toEqual([['shares', expect.objectContaining({ ...PLACE, generation: 3 })]]);
  });

  it('are left alone where the instance hands them over', async () => {
    const { rows, given, keys } = await asked('wallet.sign', Buffer.from('handed over'));
    expect([rows.asked, given]).toEqual([[], [keys, keys, keys]]);
  });

  it('are gone where there are none', async () => {
    const keys = { ...PLACE, keysId: 'gone', sealed: NOT_HANDED_OVER };
    await expect(withRows(new Rows(), 'wallet.sign', [keys])).rejects.toThrow(KeysGone);
    await expect(withRows(new Rows(), 'constructor', [keys])).resolves.toEqual([keys]);
  });
});
