import { Injectable } from '@nestjs/common';
import { getAddress, hashMessage, hexToBytes, isAddress, isHex, type Address } from 'viem';
import type { EnvironmentId } from '../../database/index.js';
import { recoveredAddress } from './recovered-address.js';
import { SmartAccounts, type SignatureVerdict } from './smart-accounts.js';

/** A text supposedly signed by an address. */
export interface EvmSigned {
  environmentId: EnvironmentId;
  /** In checksummed form. */
  address: string;
  text: string;
  signature: string;
  networkId: number;
}

/** The EIP-55 checksummed form; null if it is not an address, or is in mixed case with a wrong checksum. */
export function evmAddressOf(text: string): string | null {
  const isOneCase = /^0x(?:[0-9a-f]{40}|[0-9A-F]{40})$/.test(text);
  return isOneCase || isAddress(text, { strict: true }) ? getAddress(text) : null;
}

/** EVM signatures: by a key (EIP-191), or else by the contract at the address on the network. */
@Injectable()
export class EvmSignatures {
  constructor(private readonly accounts: SmartAccounts) {}

  /** @throws ApiError 503 if only the chain could tell and it cannot be read */
  async verify({ environmentId, address, text, signature, networkId }: EvmSigned): Promise<SignatureVerdict> {
    if (!isHex(signature, { strict: true }) || signature === '0x' || signature.length % 2 === 1) return false;
    const [owner, hash] = [address as Address, hashMessage(text)];
    if (recoveredAddress(hexToBytes(hash), hexToBytes(signature)) === owner) return true;
    return this.accounts.accepts({ environmentId, networkId, address: owner, hash, signature });
  }
}
