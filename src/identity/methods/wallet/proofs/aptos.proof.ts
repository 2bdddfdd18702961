import { sha3_256 } from '@noble/hashes/sha3.js';
import { Injectable } from '@nestjs/common';
import { WalletProof, type SignedText } from '../wallet-proof.js';
import { verifiesEd25519 } from './solana.proof.js';

const ADDRESS = /^0x[0-9a-f]{64}$/i;
/** BCS of `AccountAuthenticator::Ed25519`: variant 0, a key of 32 bytes, a signature of 64. */
const AUTHENTICATOR = /^(?:0x)?0020([0-9a-f]{64})40([0-9a-f]{128})$/i;
/** The scheme of a single Ed25519 key, at the end of what an authentication key is the hash of. */
const SCHEME = Buffer.of(0x00);
/** AIP-116: what is signed begins with the hash of this, so that it is no transaction. */
const DOMAIN = sha3_256(Buffer.from('SIGN_IN_WITH_APTOS::'));

/**
 * Wallets of Aptos: Sign in with Aptos (AIP-116) by an account of one Ed25519 key. The signature comes as the wallet gives
 * it, an account authenticator in hex, for the key cannot be told from the address. An account whose key was rotated has
 * another authentication key than its address, and is refused.
 */
@Injectable()
export class AptosProof extends WalletProof {
  readonly chains = ['APTOS'] as const;
  readonly account = 'Aptos';
  readonly needsNetwork = false;

  override addressOf(text: string): string | null {
    return ADDRESS.test(text) ? text.toLowerCase() : null;
  }

  override async verify({ address, text, signature }: SignedText): Promise<boolean> {
    const [, key, signed] = AUTHENTICATOR.exec(signature) ?? [];
    if (key === undefined || signed === undefined) return false;
    const publicKey = Buffer.from(key, 'hex');
    if (addressOfKey(publicKey) !== address) return false;
    return verifiesEd25519(Buffer.from(signed, 'hex'), Buffer.concat([DOMAIN, Buffer.from(text)]), publicKey);
  }
}

export const addressOfKey = (publicKey: Uint8Array): string =>
  `0x${Buffer.from(sha3_256(Buffer.concat([publicKey, SCHEME]))).toString('hex')}`;
