import { bech32m } from '@scure/base';

const MAINNET_PREFIX = 'bc';
const WITNESS_VERSION = 1;
/** A compressed key is the parity of y followed by the 32 bytes of x. */
const PARITY_BYTES = 1;

/** Mainnet P2TR address of an output key: bech32m (BIP-350) of witness version 1 and x (BIP-341). */
export const taprootAddress = (compressedPublicKey: Uint8Array): string =>
  bech32m.encode(MAINNET_PREFIX, [WITNESS_VERSION, ...bech32m.toWords(compressedPublicKey.subarray(PARITY_BYTES))]);
