import { Injectable } from '@nestjs/common';
import { getAddress, hashMessage, isAddress, isHex, recoverAddress, size, type Address, type Hex } from 'viem';
import type { EnvironmentId } from '../../database/index.js';
import { SmartAccounts } from './smart-accounts.js';

/** What an address is said to have signed. */
export interface EvmSigned {
  environmentId: EnvironmentId;
  /** With its checksum. */
  address: string;
  text: string;
  signature: string;
  networkId: number;
}

/** `r`, `s` and the recovery byte. */
const KEY_SIGNATURE_BYTES = 65;

/** With the checksum of EIP-55; null when it is none. One of capitals and small letters that has a wrong one is none. */
export function evmAddressOf(text: string): string | null {
  const isOneCase = /^0x(?:[0-9a-f]{40}|[0-9A-F]{40})$/.test(text);
  return isOneCase || isAddress(text, { strict: true }) ? getAddress(text) : null;
}

/** Signatures of EVM: by a key (EIP-191), or else by the contract at the address on the network. */
@Injectable()
export class EvmSignatures {
  constructor(private readonly accounts: SmartAccounts) {}

  /** @throws ApiError 503 when only the chain could tell and cannot be read */
  async verify({ environmentId, address, text, signature, networkId }: EvmSigned): Promise<boolean> {
    if (!isHex(signature, { strict: true }) || signature === '0x' || signature.length % 2 === 1) return false;
    const [owner, hash] = [address as Address, hashMessage(text)];
    if (await isOfKey(owner, hash, signature)) return true;
    return this.accounts.accepts({ environmentId, networkId, address: owner, hash, signature });
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
