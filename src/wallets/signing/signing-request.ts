import { invalidFields } from '../../common/http/validation.pipe.js';
import type { SigningRequest, TypedData } from '../../custody/index.js';
import type { SignWithEmbeddedWalletRequest } from './signing.dto.js';

const HEX = /^0x(?:[0-9a-fA-F]{2})*$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** @throws ApiError validation_failed when a required field is missing or malformed, or another one is present */
export function signingRequestOf(request: SignWithEmbeddedWalletRequest): SigningRequest {
  const { kind, message, encoding = 'utf8', transaction, typedData } = request;
  const needed = kind === 'message' ? 'message' : kind === 'typedData' ? 'typedData' : 'transaction';
  for (const field of ['message', 'transaction', 'typedData'] as const) {
    if (field === needed && request[field] === undefined)
      throw refused(field, `${field} is required with kind ${kind}`);
    if (field !== needed && request[field] !== undefined)
      throw refused(field, `${field} has no meaning with kind ${kind}`);
  }
  switch (kind) {
    case 'message':
      return { kind, message: messageBytes(message!, encoding) };
    case 'typedData':
      return { kind, typedData: typedDataOf(typedData!) };
    case 'evmTransaction':
      if (!HEX.test(transaction!)) throw refused('transaction', 'transaction must be 0x and hexadecimal digits');
      return { kind, transaction: transaction!.toLowerCase() as `0x${string}` };
    case 'psbt':
      return { kind, psbt: base64Bytes('transaction', transaction!) };
    case 'solanaTransaction':
    case 'suiTransaction':
    case 'tonTransaction':
      return { kind, transaction: base64Bytes('transaction', transaction!) };
  }
}

function messageBytes(text: string, encoding: 'utf8' | 'hex' | 'base64'): Buffer {
  if (encoding === 'utf8') return Buffer.from(text);
  if (encoding === 'base64') return base64Bytes('message', text);
  if (!HEX.test(text)) throw refused('message', 'message must be 0x and hexadecimal digits');
  return Buffer.from(text.slice(2), 'hex');
}

function base64Bytes(field: string, text: string): Buffer {
  if (!BASE64.test(text)) throw refused(field, `${field} must be base64`);
  return Buffer.from(text, 'base64');
}

/** The EIP-712 structure; the message is checked against its types where it is read. */
function typedDataOf({ types, primaryType, domain, message, ...rest }: Record<string, unknown>): TypedData {
  const isWhole =
    Object.keys(rest).length === 0 &&
    typeof primaryType === 'string' &&
    [types, domain, message].every(isRecord) &&
    Object.values(types as object).every((members) => Array.isArray(members) && members.every(isMember));
  if (!isWhole)
    throw refused('typedData', 'typedData must have types, primaryType, domain and message, as EIP-712 says');
  return { types, primaryType, domain, message } as unknown as TypedData;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isMember = (value: unknown): boolean =>
  isRecord(value) && typeof value['name'] === 'string' && typeof value['type'] === 'string';

const refused = (field: string, message: string): Error => invalidFields([{ field, message }]);
