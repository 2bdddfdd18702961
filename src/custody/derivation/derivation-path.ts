import type { EmbeddedChain } from '../embedded-chain.js';

/** Children from this index on are hardened (BIP-32, "Extended keys"). */
export const HARDENED = 0x8000_0000;

/**
 * The path of account `index` (0 to 2^31 - 1) on a chain. The level that counts accounts follows the wallets users
 * would import the phrase into, so that the same addresses appear there:
 *
 * | chain | path | source |
 * |---|---|---|
 * | EVM | `m/44'/60'/0'/0/i` | BIP-44, coin type 60 (SLIP-0044) |
 * | SOL | `m/44'/501'/i'/0'` | coin type 501, hardened only (SLIP-0010) |
 * | SUI | `m/44'/784'/i'/0'/0'` | coin type 784, hardened only (SLIP-0010) |
 * | BTC | `m/84'/0'/0'/0/i` | BIP-84, mainnet |
 *
 * @throws RangeError if the index is not an integer in that range
 */
export function derivationPath(chain: EmbeddedChain, index: number): string {
  if (!Number.isInteger(index) || index < 0 || index >= HARDENED) {
    throw new RangeError('An account index is an integer from 0 to 2147483647.');
  }
  return PATHS[chain](index);
}

const PATHS: Record<EmbeddedChain, (index: number) => string> = {
  EVM: (index) => `m/44'/60'/0'/0/${index}`,
  SOL: (index) => `m/44'/501'/${index}'/0'`,
  SUI: (index) => `m/44'/784'/${index}'/0'/0'`,
  BTC: (index) => `m/84'/0'/0'/0/${index}`,
};

const STEP = /^(0|[1-9]\d{0,9})('?)$/;

/**
 * `m/44'/60'` as child indexes, hardened ones with bit 31 set.
 *
 * @throws RangeError on anything but `m` and decimal steps below 2^31, each with an optional apostrophe
 */
export function parseDerivationPath(path: string): number[] {
  const [root, ...steps] = path.split('/');
  if (root !== 'm') throw new RangeError('A derivation path starts at m.');
  return steps.map((step) => {
    const match = STEP.exec(step);
    const index = Number(match?.[1]);
    if (match === null || index >= HARDENED) throw new RangeError('A derivation path has a step that is not an index.');
    return match[2] === '' ? index : index + HARDENED;
  });
}
