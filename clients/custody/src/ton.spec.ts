import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { beginCell, internal } from '@ton/core';
import { asked, firstShown, receiver, sending } from '../../../src/custody/signing/ton-signing.fixture.js';
import { writeTonData } from '../../../src/custody/signing/ton-data.js';
import { addressOf } from './addresses.js';
import { payloadOf } from './payload.js';
import { accountOf, rootHash, tonWallet } from './ton-cells.js';

describe('a shared key on TON, on a device', () => {
  it('has the address of the first wallet that @ton/ton makes of it and letters and digits show', () => {
    const keys = [...Array.from({ length: 20 }, () => randomBytes(32)), Buffer.alloc(32), Buffer.alloc(32, 255)];
    for (const publicKey of keys) {
      const { address, walletId } = firstShown(publicKey);
      expect(walletId.context).toMatchObject({ subwalletNumber: tonWallet(publicKey).number });
      const shown = address.toString({ bounceable: false });
      expect(addressOf('TON', publicKey.toString('hex'))).toBe(shown);
      expect(Buffer.from(accountOf(shown)).equals(address.hash)).toBe(true);
    }
  });

  it('has the address of docs/threshold.md for the key of RFC 9591, appendix E.1', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/threshold.md'), 'utf8').replaceAll(/\s+/g, ' ');
    const [, key, number, address] =
      /appendix E\.1, `(\w{64})`, has wallet number (\d+), with the address `(\w{48})`/.exec(page)!;
    expect(tonWallet(new Uint8Array(Buffer.from(key!, 'hex')))).toEqual({ number: Number(number), address });
  });

  it('signs the hash of the root, however its cells are written', async () => {
    const text = beginCell().storeUint(0, 32).storeStringTail('x'.repeat(300)).endCell();
    const message = await asked([sending(internal({ to: receiver, value: 5n, body: text }))]);
    for (const idx of [true, false])
      for (const crc32 of [true, false]) {
        const bytes = new Uint8Array(message.toBoc({ idx, crc32 }));
        const payload = payloadOf({ chain: 'TON', kind: 'transaction', bytes });
        expect(Buffer.from(payload).equals(message.hash())).toBe(true);
      }
  });

  it('signs nothing of cells that are cut short, or are none', async () => {
    const bytes = new Uint8Array(
      (await asked([sending(internal({ to: receiver, value: 5n }))])).toBoc({ crc32: false }),
    );
    for (let length = 0; length < bytes.length; length++)
      expect(() => rootHash(bytes.subarray(0, length))).toThrow(/bag of cells/);
    const bag = (cells: string, count = 1) =>
      new Uint8Array(
        Buffer.from(`b5ee9c7201010${count}0100${(cells.length / 2).toString(16).padStart(2, '0')}00${cells}`, 'hex'),
      );
    expect(() => rootHash(bag('010000'))).toThrow('none behind it');
    expect(() => rootHash(bag('0800'))).toThrow('no ordinary one');
    expect(() => rootHash(bag('', 0))).toThrow('empty');
    expect(Buffer.from(rootHash(bag('0000'))).equals(beginCell().endCell().hash())).toBe(true);
  });

  it('signs for an application what the service reads', () => {
    const publicKey = randomBytes(32);
    const { address } = firstShown(publicKey);
    const about = { domain: 'exämple.com', timestamp: 1_764_000_000 };
    for (const isText of [true, false]) {
      const content = isText ? Buffer.from('I agree ✓') : randomBytes(40);
      const kind = isText ? 'txt' : 'bin';
      const theirs = writeTonData({ account: { workchain: 0, hash: address.hash }, ...about, kind, content });
      const wanted = { chain: 'TON', kind: 'message', bytes: new Uint8Array(content), isText, ...about } as const;
      const payload = payloadOf({ ...wanted, address: address.toString({ bounceable: false }) });
      expect(Buffer.from(payload).equals(createHash('sha256').update(theirs).digest())).toBe(true);
    }
  });
});
