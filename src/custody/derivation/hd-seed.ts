import { createHash, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { SecretBytes } from '../../vault/index.js';

const pbkdf2Async = promisify(pbkdf2);

/** 256 bits: a 24-word phrase. */
const ENTROPY_BYTES = 32;
/** BIP-39 allows 128 to 256 bits in steps of 32. */
const ALLOWED_ENTROPY_BYTES = [16, 20, 24, 28, 32];
const BITS_PER_WORD = 11;
/** The longest English word has 8 letters, plus one byte for the space. */
const MAX_WORD_BYTES = 9;

/** New entropy for an HD wallet, from the operating system's random source. */
export function generateHdEntropy(): SecretBytes {
  return SecretBytes.random(ENTROPY_BYTES);
}

/**
 * The English phrase for an entropy (BIP-39, "Generating the mnemonic") as UTF-8 bytes: the entropy followed by the
 * first bits of its SHA-256, one for every 32, read 11 at a time. Bytes, because a string could not be wiped.
 *
 * @param entropy 16, 20, 24, 28 or 32 bytes for 12, 15, 18, 21 or 24 words
 * @throws RangeError on any other length
 */
export function entropyToMnemonic(entropy: SecretBytes): SecretBytes {
  const length = entropy.byteLength;
  if (!ALLOWED_ENTROPY_BYTES.includes(length)) throw new RangeError('HD entropy is 128 to 256 bits in steps of 32.');

  // Two bytes of padding let every word be read as part of a 24-bit window.
  const bits = Buffer.alloc(length + 3);
  entropy.expose().copy(bits);
  bits[length] = createHash('sha256').update(entropy.expose()).digest().readUInt8(0);

  const words = (length * 8 + length / 4) / BITS_PER_WORD;
  const phrase = Buffer.alloc(words * MAX_WORD_BYTES);
  let end = 0;
  for (let word = 0; word < words; word++) {
    const bit = word * BITS_PER_WORD;
    const window = bits.readUIntBE(bit >> 3, 3);
    if (word > 0) end += phrase.write(' ', end, 'latin1');
    end += phrase.write(wordAt((window >> (24 - BITS_PER_WORD - (bit & 7))) & 0x7ff), end, 'latin1');
  }
  bits.fill(0);
  return SecretBytes.from(phrase.subarray(0, end));
}

/**
 * The 64-byte seed of a phrase (BIP-39, "From mnemonic to seed"): PBKDF2-HMAC-SHA512, 2048 rounds, on the thread pool.
 *
 * @param mnemonic the phrase as UTF-8 in NFKD; English words are already in that form
 */
export async function mnemonicToSeed(mnemonic: SecretBytes, passphrase = ''): Promise<SecretBytes> {
  const salt = `mnemonic${passphrase}`.normalize('NFKD');
  return SecretBytes.from(await pbkdf2Async(mnemonic.expose(), salt, 2048, 64, 'sha512'));
}

/** The seed that accounts are derived from. The caller must wipe both the entropy and the seed. */
export async function entropyToSeed(entropy: SecretBytes): Promise<SecretBytes> {
  const mnemonic = entropyToMnemonic(entropy);
  try {
    return await mnemonicToSeed(mnemonic);
  } finally {
    mnemonic.wipe();
  }
}

function wordAt(index: number): string {
  const word = wordlist[index];
  if (word === undefined) throw new RangeError('The word list has 2048 words.');
  return word;
}
