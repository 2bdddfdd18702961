import { Injectable } from '@nestjs/common';
import { getAddress, hashMessage, isAddress, isHex, recoverAddress, size, type Address, type Hex } from 'viem';
import { WalletProof, type SignedText } from '../wallet-proof.js';
import { SmartAccounts } from './smart-accounts.js';

/** `r`, `s` and the recovery byte. */
const KEY_SIGNATURE_BYTES = 65;

/** Wallets of EVM chains: a key (EIP-191), or else the contract at the address on the network of the message. */
@Injectable()
export class EvmProof extends WalletProof {
  readonly chains = ['EVM', 'ETH'] as const;
  readonly account = 'Ethereum';
  readonly needsNetwork = true;

  constructor(private readonly accounts: SmartAccounts) {
    super();
  }

  /** With the checksum of EIP-55. One of capitals and small letters that has a wrong one is none. */
  override addressOf(text: string): string | null {
    const isOneCase = /^0x(?:[0-9a-f]{40}|[0-9A-F]{40})$/.test(text);
    return isOneCase || isAddress(text, { strict: true }) ? getAddress(text) : null;
  }

  override async verify({ environmentId, address, text, signature, networkId }: SignedText): Promise<boolean> {
    if (!isHex(signature, { strict: true }) || signature === '0x' || signature.length % 2 === 1) return false;
    const [owner, hash] = [address as Address, hashMessage(text)];
    if (await isOfKey(owner, hash, signature)) return true;
    return networkId !== null && this.accounts.accepts({ environmentId, networkId, address: owner, hash, signature });
  }
}

async function isOfKey(address: Address, hash: Hex, signature: Hex): Promise<boolean> {
  if (size(signature) !== KEY_SIGNATURE_BYTES) return false;
  try {
    return (await recoverAddress({ hash, signature })) === address;
  } catch {
    return false;
  }
}
