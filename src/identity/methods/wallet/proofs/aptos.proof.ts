import { sha3_256 } from '@noble/hashes/sha3.js';
import { Injectable } from '@nestjs/common';
import { WalletProof, type SignedText } from '../wallet-proof.js';
import { verifiesEd25519 } from './solana.proof.js';

const ADDRESS = /^0x[0-9a-f]{64}$/i;
/** BCS of `AccountAuthenticator::Ed25519`: variant 0, a 32-byte key, a 64-byte signature. */
const AUTHENTICATOR = /^(?:0x)?0020([0-9a-f]{64})40([0-9a-f]{128})$/i;
/** Scheme byte of a single Ed25519 key, appended before hashing to an authentication key. */
const SCHEME = Buffer.of(0x00);
/** AIP-116: the signed bytes begin with this hash, to separate them from transactions. */
const DOMAIN = sha3_256(Buffer.from('SIGN_IN_WITH_APTOS::'));

/**
 * Aptos wallets: Sign in with Aptos (AIP-116) by an account with one Ed25519 key. The signature is what the wallet
 * returns, an account authenticator in hex, since the key cannot be derived from the address. After a key rotation the
 * authentication key differs from the address, and the account is refused.
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
