import { keccak_256 } from '@noble/hashes/sha3.js';
import { Injectable } from '@nestjs/common';
import { recoverAddress, toHex, type Hex } from 'viem';
import { parseTronAddress } from '../../../../common/addresses/tron-address.js';
import { WalletProof, type SignedText } from '../wallet-proof.js';

/** 65 bytes: `r`, `s` and the recovery byte. */
const SIGNATURE = /^(?:0x)?[0-9a-f]{130}$/i;

/** TRON wallets: secp256k1 keys over the TIP-191 message (`signMessageV2` of TronWeb). */
@Injectable()
export class TronProof extends WalletProof {
  readonly chains = ['TRON'] as const;
  readonly account = 'Tron';
  readonly needsNetwork = false;

  override addressOf(text: string): string | null {
    return programOf(text) ? text : null;
  }

  override async verify({ address, text, signature }: SignedText): Promise<boolean> {
    const program = programOf(address);
    if (!program || !SIGNATURE.test(signature)) return false;
    try {
      const bytes: Hex = `0x${signature.replace(/^0x/i, '')}`;
      return (await recoverAddress({ hash: digestOf(text), signature: bytes })).toLowerCase() === program;
    } catch {
      return false;
    }
  }
}

/** The account of an address, in hex as on EVM; null if it is not an address. */
function programOf(text: string): string | null {
  const account = parseTronAddress(text);
  return account && toHex(account);
}

/** TIP-191: Keccak-256 of the prefix, the byte length in decimal, and the message. */
function digestOf(text: string): Uint8Array {
  const message = Buffer.from(text);
  return keccak_256(Buffer.concat([Buffer.from(`\x19TRON Signed Message:\n${message.length}`), message]));
}
