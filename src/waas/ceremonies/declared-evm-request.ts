import { parseTransaction, type TransactionSerializable } from 'viem';
import { invalidFields } from '../../common/http/validation.pipe.js';
import type { SigningRequest, TypedData } from '../../custody/index.js';
import type { KeptEvmRequest } from '../rooms/room-subjects.js';
import type { SignMessageContext, SignMessageWithWaasRequest } from './ceremony.dto.js';
import type { SignMessageEvmTransaction } from './signing-context.dto.js';

const HEX = /^0x(?:[0-9a-fA-F]{2})*$/;

/** Parts of the context that apply to an EVM wallet. */
const CONTEXT: readonly (keyof SignMessageContext)[] = ['evmTransaction', 'evmMessage', 'evmTypedData'];

/** Numeric fields of a declared transaction, named as in EIP-2718 libraries. */
const NUMBERS = ['chainId', 'nonce', 'value', 'gas', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const;

/**
 * What is to be signed, as declared by the caller. `message` is authoritative, and anything else declared has to match:
 * the fields of a transaction have to match its bytes. Typed data is checked against `message` where it is read.
 *
 * @throws ApiError validation_failed
 */
export function declaredEvmRequest(body: SignMessageWithWaasRequest): SigningRequest {
  const { message, isFormatted = false, context = {}, bitcoinConfig } = body;
  if (bitcoinConfig !== undefined) throw refused('bitcoinConfig', 'bitcoinConfig has no meaning for this wallet');
  const given = (Object.keys(context) as (keyof SignMessageContext)[]).filter((name) => context[name] !== undefined);
  const foreign = given.find((name) => !CONTEXT.includes(name));
  if (foreign) throw refused(`context.${foreign}`, `${foreign} has no meaning for this wallet`);
  if (given.length > 1) throw refused('context', 'context must declare one thing');
  const { evmTransaction, evmTypedData, evmMessage } = context;
  if (evmTypedData) {
    const { types, primaryType, domain, message: values } = evmTypedData;
    return {
      kind: 'typedData',
      typedData: { types, primaryType, domain: { ...domain }, message: values } as TypedData,
    };
  }
  if (evmTransaction) {
    if (!HEX.test(message)) throw refused('message', 'message must be the unsigned transaction, 0x and hexadecimal');
    const transaction = message.toLowerCase() as `0x${string}`;
    assertDeclared(evmTransaction, transaction);
    return { kind: 'evmTransaction', transaction };
  }
  const raw = typeof evmMessage === 'object' ? (evmMessage as { raw: string }).raw : null;
  if (evmMessage !== undefined && (raw ?? evmMessage) !== message)
    throw refused('message', 'message must be the message of the context');
  if (!isFormatted && raw === null) return { kind: 'message', message: Buffer.from(message) };
  if (!HEX.test(message)) throw refused('message', 'message must be 0x and hexadecimal digits');
  return { kind: 'message', message: Buffer.from(message.slice(2), 'hex') };
}

/** Bytes that are not a transaction are refused where they are parsed, with a ledger entry. */
function assertDeclared(declared: SignMessageEvmTransaction, bytes: `0x${string}`): void {
  let read: TransactionSerializable;
  try {
    read = parseTransaction(bytes);
  } catch {
    return;
  }
  const differs = (name: string): Error =>
    refused(`context.evmTransaction.${name}`, `${name} must be that of the transaction in message`);
  for (const name of NUMBERS) {
    if (declared[name] === undefined) continue;
    const value = numberOf(declared[name]);
    if (value === null || value !== numberOf(read[name] ?? 0)) throw differs(name);
  }
  if (declared.to.toLowerCase() !== (read.to ?? '').toLowerCase()) throw differs('to');
  if (declared.data !== undefined && declared.data.toLowerCase() !== (read.data ?? '0x').toLowerCase())
    throw differs('data');
}

/** Null for an invalid number, and for one too large for the library. */
function numberOf(value: string | number | bigint): bigint | null {
  try {
    return BigInt(value);
  } catch {
    return null;
  }
}

export function keptEvmRequest(request: SigningRequest): KeptEvmRequest {
  if (request.kind === 'message')
    return { kind: request.kind, message: Buffer.from(request.message).toString('base64') };
  if (request.kind === 'evmTransaction' || request.kind === 'typedData') return request;
  throw new Error(`No wallet of EVM signs ${request.kind}.`);
}

export const evmRequestOf = (kept: KeptEvmRequest): SigningRequest =>
  kept.kind === 'message' ? { kind: kept.kind, message: Buffer.from(kept.message, 'base64') } : kept;

const refused = (field: string, message: string): Error => invalidFields([{ field, message }]);
