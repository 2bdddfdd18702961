import { Injectable } from '@nestjs/common';
import {
  BaseError,
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  isErc6492Signature,
  isErc8010Signature,
  parseAbi,
  parseErc6492Signature,
  type Address,
  type Hex,
  type PublicClient,
} from 'viem';
import type { EnvironmentId } from '../../database/index.js';
import { CallRevertedError, ChainReader, ChainUnreadableError } from '../../networks/index.js';
import { walletChainUnreadable } from './message.errors.js';

export interface AccountSignature {
  environmentId: EnvironmentId;
  networkId: number;
  address: Address;
  hash: Hex;
  signature: Hex;
}

const ERC_1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
/** ERC-1271: what `isValidSignature` answers, as the one word of its return value. A contract that echoes fails. */
const MAGIC_WORD = `0x1626ba7e${'0'.repeat(56)}`;
/** What the validator of ERC-6492 returns: one byte. */
const VALID = '0x01';
/** Making a wallet and asking it takes a tenth; a stranger who chooses the contract keeps no node busy. */
const MAX_GAS = 20_000_000n;
/** How the code of an address begins that a key has delegated. */
const DELEGATION = '0xef0100';
const MAX_SIGNATURE_LENGTH = 16_384;

/** Whether a signature holds: by the key of the address, or only by the contract that is there on one network. */
export type SignatureVerdict = boolean | 'byContract';

/**
 * Signatures that only a contract can judge, asked by `eth_call` alone: nothing is ever sent to the chain.
 *
 * A wallet that is deployed answers for itself (ERC-1271), and what a wrapper of ERC-6492 would have called before is
 * not called: whoever sends a signature chooses that call. One that is not deployed is made and asked within the call.
 * Signatures of ERC-8010 are refused: the authorization in them may be an old one, and anybody can read it on the chain.
 */
@Injectable()
export class SmartAccounts {
  constructor(private readonly chains: ChainReader) {}

  /** @throws ApiError 503 when the chain cannot be read */
  async accepts({ environmentId, networkId, ...signed }: AccountSignature): Promise<SignatureVerdict> {
    const { signature } = signed;
    if (signature.length > MAX_SIGNATURE_LENGTH || isErc8010Signature(signature)) return false;
    try {
      const client = await this.chains.evmClient(environmentId, networkId);
      const code = await client.getCode({ address: signed.address });
      const isDeployed = code !== undefined && code !== '0x';
      if (!isDeployed && !isErc6492Signature(signature)) return false;
      const accepted = await (isDeployed ? acceptsDeployed(client, signed) : acceptsUndeployed(client, signed));
      // The key of the address has chosen this code (EIP-7702), and signs in on every network.
      if (!accepted || code?.startsWith(DELEGATION)) return accepted;
      return 'byContract';
    } catch (error) {
      if (causedBy(error, CallRevertedError)) return false;
      if (causedBy(error, ChainUnreadableError)) throw walletChainUnreadable({ cause: error });
      throw error;
    }
  }
}

type Signed = Pick<AccountSignature, 'address' | 'hash' | 'signature'>;

async function acceptsDeployed(client: PublicClient, { address, hash, signature }: Signed): Promise<boolean> {
  const own = isErc6492Signature(signature) ? parseErc6492Signature(signature).signature : signature;
  const data = encodeFunctionData({ abi: ERC_1271, functionName: 'isValidSignature', args: [hash, own] });
  return (await client.call({ to: address, data, gas: MAX_GAS })).data === MAGIC_WORD;
}

async function acceptsUndeployed(client: PublicClient, { address, hash, signature }: Signed): Promise<boolean> {
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [address, hash, signature],
  });
  return (await client.call({ data, gas: MAX_GAS })).data === VALID;
}

/** Whether an error of viem was caused by one of the chain reader's. */
export const causedBy = (error: unknown, type: new (...args: never[]) => Error): boolean =>
  error instanceof type || (error instanceof BaseError && error.walk((cause) => cause instanceof type) instanceof type);
