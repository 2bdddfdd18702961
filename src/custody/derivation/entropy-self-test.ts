/** A random source that cannot be trusted with keys. The message names the failed check and shows no output bytes. */
export class RandomSourceError extends Error {
  override readonly name = 'RandomSourceError';

  constructor(check: string) {
    super(`The random source failed its start-up test: ${check}. No key may be made from it.`);
  }
}

const BLOCKS = 64;
const BLOCK_BYTES = 32;
const WINDOW_BYTES = 8;

/** Repetition count test of NIST SP 800-90B, 4.4.1: 7 equal bytes have a chance of 2^-48 at every position. */
const MAX_RUN = 6;

/** The count of ones in 16 384 bits has a standard deviation of 64; chance exceeds seven of them once in 10^11. */
const MAX_BIT_BIAS = 7 * 64;

/**
 * Startup test of a random source: fails on one that is stubbed, constant, counting or repeating, as left behind by a
 * test double or a broken sandbox. It cannot detect a predictable generator with good statistics.
 *
 * @param randomBytes returns that many bytes from the source that keys are made from
 * @throws RandomSourceError
 */
export function assertRandomSource(randomBytes: (length: number) => Uint8Array): void {
  const blocks = Array.from({ length: BLOCKS }, () => Buffer.from(randomBytes(BLOCK_BYTES)));
  if (blocks.some((block) => block.length !== BLOCK_BYTES)) throw new RandomSourceError('wrong length');
  const sample = Buffer.concat(blocks);
  blocks.forEach((block) => block.fill(0));
  try {
    if (repeatsWindow(sample)) throw new RandomSourceError('output repeats');
    if (longestRun(sample) > MAX_RUN) throw new RandomSourceError('output is constant');
    if (hasStuckBit(sample)) throw new RandomSourceError('a bit never changes');
    if (Math.abs(countBits(sample) - sample.length * 4) > MAX_BIT_BIAS) throw new RandomSourceError('bits are biased');
  } finally {
    sample.fill(0);
  }
}

/** Whether two of the 256 aligned 64-bit windows are equal; by chance, once in 10^14. */
function repeatsWindow(sample: Buffer): boolean {
  const seen = new Set<bigint>();
  for (let at = 0; at < sample.length; at += WINDOW_BYTES) seen.add(sample.readBigUInt64BE(at));
  return seen.size < sample.length / WINDOW_BYTES;
}

function longestRun(sample: Buffer): number {
  let longest = 0;
  let run = 0;
  for (let at = 0; at < sample.length; at++) {
    run = at > 0 && sample[at] === sample[at - 1] ? run + 1 : 1;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** Whether any bit of a block has the same value in every block; by chance, once in 2^55. */
function hasStuckBit(sample: Buffer): boolean {
  for (let at = 0; at < BLOCK_BYTES; at++) {
    let ones = 0x00;
    let zeros = 0x00;
    for (let block = at; block < sample.length; block += BLOCK_BYTES) {
      const byte = sample.readUInt8(block);
      ones |= byte;
      zeros |= ~byte & 0xff;
    }
    if (ones !== 0xff || zeros !== 0xff) return true;
  }
  return false;
}

function countBits(sample: Buffer): number {
  let count = 0;
  for (const byte of sample) {
    for (let rest = byte; rest !== 0; rest &= rest - 1) count++;
  }
  return count;
}
