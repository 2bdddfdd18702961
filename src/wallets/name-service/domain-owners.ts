import { Injectable } from '@nestjs/common';
import { decodeFunctionResult, encodeFunctionData, isAddressEqual, namehash, parseAbi, type Address } from 'viem';
import type { EnvironmentId } from '../../database/index.js';
import { CallRevertedError, ChainUnreadableError, ENS_REGISTRY, NeutralChainReader } from '../../networks/index.js';
import { domainUnreadable } from './name-service.errors.js';

/** Ethereum. */
export const NAMES_NETWORK = 1;

const REGISTRY = parseAbi(['function owner(bytes32 node) view returns (address)']);
/** For a wrapped domain, the registry names the wrapping contract as owner. */
const WRAPPER = parseAbi(['function ownerOf(uint256 id) view returns (address)']);

/**
 * Asks the ENS registry who owns a domain. Only one environment at a time issues names below it, so the nodes
 * configured by the asking environment are not trusted.
 */
@Injectable()
export class DomainOwners {
  constructor(private readonly chains: NeutralChainReader) {}

  /** @throws domainUnreadable */
  async isOwner(environmentId: EnvironmentId, domain: string, address: Address): Promise<boolean> {
    const node = namehash(domain);
    try {
      const owner = await this.ownerOf(environmentId, ENS_REGISTRY, {
        data: encodeFunctionData({ abi: REGISTRY, args: [node] }),
        read: (data) => decodeFunctionResult({ abi: REGISTRY, data }),
      });
      if (owner === null) return false;
      if (isAddressEqual(owner, address)) return true;
      if ((await this.chains.code(environmentId, NAMES_NETWORK, owner)) === '0x') return false;
      const holder = await this.ownerOf(environmentId, owner, {
        data: encodeFunctionData({ abi: WRAPPER, args: [BigInt(node)] }),
        read: (data) => decodeFunctionResult({ abi: WRAPPER, data }),
      });
      return holder !== null && isAddressEqual(holder, address);
    } catch (error) {
      if (error instanceof ChainUnreadableError) throw domainUnreadable({ cause: error });
      throw error;
    }
  }

  /** Null where the contract reverts, or there is no contract. */
  private async ownerOf(
    environmentId: EnvironmentId,
    to: Address,
    { data, read }: { data: `0x${string}`; read: (data: `0x${string}`) => Address },
  ): Promise<Address | null> {
    try {
      const answer = await this.chains.call(environmentId, NAMES_NETWORK, { to, data });
      return /^0x0{24}[0-9a-f]{40}$/i.test(answer) ? read(answer) : null;
    } catch (error) {
      if (error instanceof CallRevertedError) return null;
      throw error;
    }
  }
}
