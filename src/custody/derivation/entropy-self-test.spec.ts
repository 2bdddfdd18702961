import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { assertRandomSource, RandomSourceError } from './entropy-self-test.js';

/** A deterministic stream with the statistics of a good source, to spoil in one way at a time. */
function stream(): (length: number) => Buffer {
  let counter = 0;
  return (length) => createHash('sha256').update(`block ${counter++}`).digest().subarray(0, length);
}

function spoiled(change: (block: Buffer, call: number) => unknown, draw = stream()): (length: number) => Buffer {
  let call = 0;
  return (length) => {
    const block = Buffer.from(draw(length));
    change(block, call++);
    return block;
  };
}

function counting(change: (block: Buffer, call: number) => unknown): (length: number) => Buffer {
  return spoiled(change, (length) => Buffer.alloc(length));
}

describe('assertRandomSource', () => {
  it("passes the operating system's source a thousand times", () => {
    expect(() => {
      for (let run = 0; run < 1000; run++) assertRandomSource(randomBytes);
    }).not.toThrow();
  });

  it('passes an unspoiled stream, so that the failures below are due to what is spoiled', () => {
    expect(() => assertRandomSource(stream())).not.toThrow();
  });

  const same = randomBytes(32);
  it.each<[string, () => (length: number) => Uint8Array, RegExp]>([
    ['a stub of zeros', () => (length) => Buffer.alloc(length), /repeats/],
    ['a stub of one byte', () => (length) => Buffer.alloc(length, 0x5a), /repeats/],
    ['one good block for ever', () => () => same, /repeats/],
    [
      'a byte counter',
      () => counting((block, call) => block.forEach((_, at) => block.writeUInt8((call * 32 + at) & 0xff, at))),
      /repeats/,
    ],
    ['a block counter', () => counting((block, call) => block.writeUInt8(call, 31)), /repeats/],
    ['a 32-bit seed padded with zeros', () => spoiled((block) => block.fill(0, 4)), /repeats/],
    ['a block seen before', () => spoiled((block, call) => call === 63 && stream()(32).copy(block)), /repeats/],
    [
      'a quarter block seen before',
      () => spoiled((block, call) => call === 40 && stream()(32).copy(block, 16, 16, 24)),
      /repeats/,
    ],
    ['a run of seven equal bytes', () => spoiled((block, call) => call === 9 && block.fill(0x33, 10, 17)), /constant/],
    [
      'a bit that never changes',
      () => spoiled((block) => block.writeUInt8(block.readUInt8(5) | 0x10, 5)),
      /never changes/,
    ],
    [
      'text in place of bytes',
      () => (length) => Buffer.from(randomBytes(length).toString('base64').slice(0, length)),
      /never changes/,
    ],
    [
      'too many ones',
      () =>
        spoiled((block, call) => block.forEach((byte, at) => at % 3 && block.writeUInt8(byte | (1 << (call % 8)), at))),
      /biased/,
    ],
    [
      'too many zeros',
      () =>
        spoiled((block, call) =>
          block.forEach((byte, at) => at % 3 && block.writeUInt8(byte & ~(1 << (call % 8)), at)),
        ),
      /biased/,
    ],
    ['fewer bytes than asked', () => (length) => randomBytes(length - 1), /length/],
    ['no bytes', () => () => Buffer.alloc(0), /length/],
  ])('fails on %s', (_, source, message) => {
    expect(() => assertRandomSource(source())).toThrow(RandomSourceError);
    expect(() => assertRandomSource(source())).toThrow(message);
  });

  it('lets a run of six equal bytes pass, which chance produces', () => {
    expect(() => assertRandomSource(spoiled((block, call) => call === 9 && block.fill(0x33, 10, 16)))).not.toThrow();
  });

  it('shows no output of the source in its message', () => {
    const block = Buffer.from('correct horse battery staple 123');

    expect(() => assertRandomSource(() => block)).toThrow(
      /^The random source failed its start-up test: output repeats\. No key may be made from it\.$/,
    );
  });
});
