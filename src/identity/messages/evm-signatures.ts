import { Injectable } from '@nestjs/common';
import { getAddress, hashMessage, hexToBytes, isAddress, isHex, type Address } from 'viem';
import type { EnvironmentId } from '../../database/index.js';
import { recoveredAddress } from './recovered-address.js';
import { SmartAccounts, type SignatureVerdict } from './smart-accounts.js';

/** What an address is said to have signed. */
export interface EvmSigned {
  environmentId: EnvironmentId;
  /** With its checksum. */
  address: string;
  text: string;
  signature: string;
  networkId: number;
}

/** With the checksum of EIP-55; null when it is not an address, or is in mixed case with a wrong checksum. */
export function evmAddressOf(text: string): string | null {
  const isOneCase = /^0x(?:[0-9a-f]{40}|[0-9A-F]{40})$/.test(text);
  return isOneCase || isAddress(text, { strict: true }) ? getAddress(text) : null;
}

/** Signatures of EVM: by a key (EIP-191), or else by the contract at the address on the network. */
@Injectable()
export class EvmSignatures {
  constructor(private readonly accounts: SmartAccounts) {}

  /** @throws ApiError 503 when only the chain could tell and cannot be read */
  async verify({ environmentId, address, text, signature, networkId }: EvmSigned): Promise<SignatureVerdict> {
    if (!isHex(signature, { strict: true }) || signature === '0x' || signature.length % 2 === 1) return false;
    const [owner, hash] = [address as Address, hashMessage(text)];
    if (recoveredAddress(hexToBytes(hash), hexToBytes(signature)) === owner) return true;
    return this.accounts.accepts({ environmentId, networkId, address: owner, hash, signature });
  }
}
