import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Address, beginCell, Cell as TonCell } from '@ton/core';
import { UnreadableRequest } from '../signing/byte-reader.js';
import { firstShown } from '../signing/ton-signing.fixture.js';
import { parseBoc, writeBoc } from './boc.js';
import { normalTonAddress, parseTonAddress } from '../../common/addresses/ton-address.js';
import { tonAddress, walletOf } from './wallet-v5.js';

const refusal = (boc: Buffer): string => {
  try {
    parseBoc(boc);
    return 'accepted';
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableRequest);
    return (error as Error).message;
  }
};

/** Cells of every length of bits that stand in some relation to whole bytes, with a cell that two lead to. */
function tree(): TonCell {
  const shared = beginCell().storeUint(5, 3).endCell();
  const leaves = Array.from({ length: 17 }, (_, bits) => beginCell().storeUint(0, bits).storeRef(shared).endCell());
  const full = beginCell().storeBuffer(randomBytes(127)).storeUint(0x55, 7).endCell();
  return [...leaves, full].reduce(
    (root, leaf) => beginCell().storeUint(1, 9).storeRef(root).storeRef(leaf).storeRef(shared).endCell(),
    beginCell().endCell(),
  );
}

/** Bytes of a bag of cells without index and checksum, by which others are made up. */
const bagOf = (cells: string, { count = 1, roots = 1, root = 0, length = cells.length / 2 } = {}): Buffer =>
  Buffer.from(
    `b5ee9c720101${[count, roots, 0, length, root].map((one) => one.toString(16).padStart(2, '0')).join('')}${cells}`,
    'hex',
  );

describe('cells of TON', () => {
  it.each([
    { idx: false, crc32: true },
    { idx: true, crc32: true },
    { idx: true, crc32: false },
    { idx: false, crc32: false },
  ])('have the hash and depth that @ton/core finds, written with %j', (options) => {
    const theirs = tree();
    const own = parseBoc(theirs.toBoc(options));
    expect([own.hash.toString('hex'), own.depth]).toEqual([theirs.hash().toString('hex'), theirs.depth()]);
  });

  it('are written so that @ton/core reads the same', () => {
    const theirs = tree();
    const [again] = TonCell.fromBoc(writeBoc(parseBoc(theirs.toBoc())));
    expect(again!.equals(theirs)).toBe(true);
  });

  it('are refused when they are cut short, changed, or have something behind them', () => {
    const boc = tree().toBoc();
    for (let length = 0; length < boc.length; length += 1)
      expect(refusal(boc.subarray(0, length))).not.toBe('accepted');
    for (let at = 0; at < boc.length; at += 1) {
      const changed = Buffer.from(boc);
      changed[at]! ^= 0x10;
      expect(refusal(changed)).not.toBe('accepted');
    }
    expect(refusal(Buffer.concat([boc, Buffer.of(0)]))).toMatch(/left over/);
  });

  it('are refused before they are hashed when there are more than any wallet sends', () => {
    const count = Buffer.alloc(2);
    count.writeUInt16BE(2_049);
    const head = Buffer.concat([Buffer.from('b5ee9c720202', 'hex'), count, Buffer.from('000100000000', 'hex')]);
    expect(refusal(head)).toBe('it has more than 2048 cells');
  });

  it.each<[string, Buffer, RegExp]>([
    ['that lead to themselves', bagOf('010000'), /none behind/],
    ['that lead to those before them', bagOf('010001010000', { count: 2 }), /none behind/],
    ['that lead to none', bagOf('010007'), /none behind/],
    ['that belong to nothing', bagOf('00000000', { count: 2 }), /belongs to nothing/],
    ['with several roots', bagOf('0000', { roots: 2 }), /one root/],
    ['with a root that is not the first', bagOf('0000', { root: 1 }), /one root/],
    ['with none', bagOf('', { count: 0 }), /belongs to nothing/],
    ['with another length', bagOf('0000', { length: 3 }), /another length/],
    ['that stand for a library', bagOf(`0842${'02'.padEnd(66, '0')}`), /no ordinary one/],
    ['that carry their hashes', bagOf('1000'), /no ordinary one/],
    ['with five references', bagOf('05000101010101'), /no ordinary one/],
    ['that do not say where their bits end', bagOf('000100'), /where its bits end/],
    ['that write whole bytes as parts of more', bagOf('00030180'), /where its bits end/],
  ])('are refused %s', (_, boc, reason) => expect(refusal(boc)).toMatch(reason));

  it('are refused when they are nested deeper than a message may be', () => {
    const nested = (depth: number): Buffer => {
      let cell = beginCell().endCell();
      for (let at = 0; at < depth; at++) cell = beginCell().storeRef(cell).endCell();
      return cell.toBoc();
    };
    expect(refusal(nested(512))).toBe('accepted');
    expect(refusal(nested(513))).toMatch(/too deep/);
  });
});

describe('an address of TON', () => {
  it('is that of the first wallet of version 5 that @ton/ton makes of the key, and letters and digits show', () => {
    for (let time = 0; time < 20; time++) {
      const publicKey = randomBytes(32);
      const { address, init } = firstShown(publicKey);
      expect(tonAddress(publicKey)).toBe(address.toString({ bounceable: false }));
      const { state } = walletOf(publicKey);
      expect(state.hash.equals(address.hash)).toBe(true);
      const [code, data] = state.references;
      expect([code!.hash.equals(init.code.hash()), data!.hash.equals(init.data.hash())]).toEqual([true, true]);
    }
  });

  it('means the same in each of its forms', () => {
    for (const workchain of [0, -1]) {
      const address = new Address(workchain, randomBytes(32));
      const shown = address.toString({ bounceable: false });
      for (const bounceable of [true, false])
        for (const urlSafe of [true, false])
          expect(normalTonAddress(address.toString({ bounceable, urlSafe }))).toBe(shown);
      expect(normalTonAddress(address.toRawString())).toBe(shown);
      expect(normalTonAddress(address.toRawString().toUpperCase())).toBe(shown);
      expect(parseTonAddress(shown)).toEqual({ workchain, hash: address.hash });
    }
  });

  it('is none of another network, chain or length, or with another checksum', () => {
    const address = new Address(0, randomBytes(32));
    const shown = address.toString({ bounceable: false });
    for (let at = 0; at < shown.length; at++) {
      const other = shown[at] === 'A' ? 'B' : 'A';
      expect(normalTonAddress(shown.slice(0, at) + other + shown.slice(at + 1))).toBeNull();
    }
    for (const text of [
      address.toString({ testOnly: true }),
      new Address(5, address.hash).toString(),
      `5:${address.hash.toString('hex')}`,
      shown.slice(1),
      `${shown}A`,
      '',
      '0:',
    ])
      expect([text, normalTonAddress(text)]).toEqual([text, null]);
  });
});
