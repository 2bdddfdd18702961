import { Injectable } from '@nestjs/common';
import { decodeFunctionResult, encodeFunctionData, parseAbi, type Address } from 'viem';
import { VENDOR_RETRY_SECONDS } from '../../../common/errors/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { causedBy } from '../../messages/smart-accounts.js';
import { CallRevertedError, ChainReader, ChainUnreadableError } from '../../../networks/index.js';
import { walletChainUnreadable } from '../../messages/message.errors.js';
import { REGISTRY_NETWORK } from './frame-message.js';

/** The account registry: https://docs.farcaster.xyz/reference/contracts/deployments */
export const ID_REGISTRY: Address = '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b';
const REGISTRY = parseAbi(['function idOf(address owner) view returns (uint256)']);

/** Checks which address has custody of an account on the frame network. */
@Injectable()
export class CustodyRegistry {
  constructor(private readonly chains: ChainReader) {}

  /** Queried every time, since accounts can change hands. @throws ApiError 503 */
  async holds(environmentId: EnvironmentId, address: string, fid: string): Promise<boolean> {
    const data = encodeFunctionData({ abi: REGISTRY, functionName: 'idOf', args: [address as Address] });
    try {
      const client = await this.chains.evmClient(environmentId, REGISTRY_NETWORK);
      const { data: answer } = await client.call({ to: ID_REGISTRY, data });
      if (answer?.length !== WORD) return false;
      return decodeFunctionResult({ abi: REGISTRY, functionName: 'idOf', data: answer }) === BigInt(fid);
    } catch (error) {
      if (causedBy(error, CallRevertedError)) return false;
      if (causedBy(error, ChainUnreadableError))
        throw walletChainUnreadable({ cause: error, retryAfterSeconds: VENDOR_RETRY_SECONDS });
      throw error;
    }
  }
}

/** Length of `0x` and 32 bytes in hex; a missing contract returns nothing. */
const WORD = 66;
