import { expect } from '@jest/globals';
import type { Hex } from 'viem';
import { SecretBytes } from '../../vault/index.js';
import { deriveAccount, derivePrivateKey } from '../derivation/derive-account.js';
import type { EmbeddedChain } from '../embedded-chain.js';
import { UnreadableRequest } from './byte-reader.js';
import { readSignable } from './read-signable.js';
import type { Signed, SigningRequest } from './signing-request.js';

const seed = SecretBytes.from(Buffer.alloc(64, 7));
export const addressOf = (chain: EmbeddedChain): string => deriveAccount(seed, chain, 0).address;
export const keyOf = (chain: EmbeddedChain): Buffer => derivePrivateKey(seed, chain, 0).expose();
export const sign = (chain: EmbeddedChain, request: SigningRequest): Signed =>
  readSignable({ chain, address: addressOf(chain) }, request).sign(keyOf(chain));
export const refusal = (chain: EmbeddedChain, request: SigningRequest): string => {
  try {
    readSignable({ chain, address: addressOf(chain) }, request);
    return 'accepted';
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableRequest);
    return (error as Error).message;
  }
};
export const message = (bytes: Uint8Array): SigningRequest => ({ kind: 'message', message: bytes });
export const text = Buffer.from('Gatehouse ✓ signs this');
export const key = (chain: EmbeddedChain): Hex => `0x${keyOf(chain).toString('hex')}`;
