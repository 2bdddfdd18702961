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
import { VENDOR_RETRY_SECONDS } from '../../common/errors/index.js';
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
/** ERC-1271: the return value of `isValidSignature`, as a full word. A contract that echoes its input fails. */
const MAGIC_WORD = `0x1626ba7e${'0'.repeat(56)}`;
/** The return value of the ERC-6492 validator: one byte. */
const VALID = '0x01';
/** Deploying and calling a wallet takes a tenth; the limit keeps hostile contracts from tying up a node. */
const MAX_GAS = 20_000_000n;
/** Code prefix of an address with an EIP-7702 delegation. */
const DELEGATION = '0xef0100';
const MAX_SIGNATURE_LENGTH = 16_384;

/** Whether a signature is valid: by the key of the address, or only by the contract there on one network. */
export type SignatureVerdict = boolean | 'byContract';

/** Signatures that only a contract can verify, on the networks of an environment. */
@Injectable()
export class SmartAccounts {
  constructor(private readonly chains: ChainReader) {}

  /** @throws ApiError 503 if the chain cannot be read */
  async accepts({ environmentId, networkId, ...signed }: AccountSignature): Promise<SignatureVerdict> {
    try {
      return await verdictOfContract(await this.chains.evmClient(environmentId, networkId), signed);
    } catch (error) {
      if (causedBy(error, ChainUnreadableError))
        throw walletChainUnreadable({ cause: error, retryAfterSeconds: VENDOR_RETRY_SECONDS });
      throw error;
    }
  }
}

/**
 * Whether the contract at an address accepts a signature, checked with `eth_call`: nothing is ever sent to the chain.
 *
 * A deployed wallet verifies for itself (ERC-1271); the preparatory call of an ERC-6492 wrapper is skipped, as the
 * caller controls it. A wallet that is not deployed is deployed and queried within the call. ERC-8010 signatures are
 * refused: the authorization in them may be an old one, and anybody can read it on the chain.
 *
 * @throws ChainUnreadableError, or an error of viem with that cause
 */
export async function verdictOfContract(client: PublicClient, signed: Signed): Promise<SignatureVerdict> {
  const { address, signature } = signed;
  if (signature.length > MAX_SIGNATURE_LENGTH || isErc8010Signature(signature)) return false;
  try {
    const code = await client.getCode({ address });
    const isDeployed = code !== undefined && code !== '0x';
    if (!isDeployed && !isErc6492Signature(signature)) return false;
    const accepted = await (isDeployed ? acceptsDeployed(client, signed) : acceptsUndeployed(client, signed));
    // The key of the address has chosen this code (EIP-7702), and can sign in on every network.
    if (!accepted || code?.startsWith(DELEGATION)) return accepted;
    return 'byContract';
  } catch (error) {
    if (causedBy(error, CallRevertedError)) return false;
    throw error;
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

/** Whether a viem error was caused by one from the chain reader. */
export const causedBy = (error: unknown, type: new (...args: never[]) => Error): boolean =>
  error instanceof type || (error instanceof BaseError && error.walk((cause) => cause instanceof type) instanceof type);
