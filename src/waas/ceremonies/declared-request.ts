import { parseTonAddress } from '../../common/addresses/ton-address.js';
import { invalidFields } from '../../common/http/validation.pipe.js';
import { writeTonData, type SharedWallet, type SigningRequest, type ThresholdChain } from '../../custody/index.js';
import type { KeptRequest } from '../rooms/room-subjects.js';
import type {
  SignMessageContext,
  SignMessageTonMessage,
  SignMessageWithWaasRequest,
  WalletBitcoinConfig,
} from './ceremony.dto.js';

const HEX = /^(?:0x)?(?:[0-9a-fA-F]{2})*$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Parts of the context that apply to a chain. */
const CONTEXT: Record<ThresholdChain, readonly (keyof SignMessageContext)[]> = {
  SOL: ['svmTransaction', 'svmMessage'],
  SUI: ['suiTransaction', 'suiMessage'],
  BTC: [],
  TON: ['tonTransaction', 'tonMessage'],
};

const TRANSACTIONS: Partial<
  Record<keyof SignMessageContext, 'solanaTransaction' | 'suiTransaction' | 'tonTransaction'>
> = { svmTransaction: 'solanaTransaction', suiTransaction: 'suiTransaction', tonTransaction: 'tonTransaction' };

const ADDRESS_TYPE = 'taproot';
const NETWORK = 'mainnet';

/**
 * What is to be signed, as declared by the caller: a transaction if the context has one, which has to match `message`;
 * on Bitcoin a PSBT if there is a `bitcoinConfig`; else a message. Anything else, having no effect, is refused.
 *
 * @throws ApiError validation_failed
 */
export function declaredRequest(
  { chain, address }: Pick<SharedWallet, 'chain' | 'address'>,
  body: SignMessageWithWaasRequest,
): SigningRequest {
  const { message, isFormatted = false, context = {}, bitcoinConfig } = body;
  if (bitcoinConfig !== undefined && chain !== 'BTC')
    throw refused('bitcoinConfig', 'bitcoinConfig has no meaning for this wallet');
  const given = (Object.keys(context) as (keyof SignMessageContext)[]).filter((name) => context[name] !== undefined);
  const foreign = given.find((name) => !CONTEXT[chain].includes(name));
  if (foreign) throw refused(`context.${foreign}`, `${foreign} has no meaning for this wallet`);
  if (bitcoinConfig !== undefined) return psbtOf(message, bitcoinConfig, isFormatted);
  if (given.length > 1) throw refused('context', 'context must declare one thing');
  const { svmTransaction, suiTransaction, tonTransaction, svmMessage, suiMessage, tonMessage } = context;
  const text = svmMessage ?? suiMessage;
  if (text !== undefined && text !== message) throw refused('message', 'message must be the message of the context');
  const kind = given[0] && TRANSACTIONS[given[0]];
  if (kind) {
    const one = (suiTransaction ?? tonTransaction)?.serializedTransaction;
    const transactions = svmTransaction?.serializedTransactions ?? [one];
    if (transactions.length !== 1 || transactions[0] !== message)
      throw refused('message', 'message must be the one transaction of the context');
    if (!BASE64.test(message)) throw refused('message', 'message must be base64 of the transaction');
    return { kind, transaction: Buffer.from(message, 'base64') };
  }
  if (isFormatted && !HEX.test(message)) throw refused('message', 'message must be hexadecimal with isFormatted');
  const bytes = isFormatted ? Buffer.from(message.replace(/^0x/, ''), 'hex') : Buffer.from(message);
  if (chain !== 'TON') return { kind: 'message', message: bytes };
  return tonDataOf(address, bytes, isFormatted, tonMessage);
}

/** Text, or bytes if it was given in hexadecimal. @throws ApiError validation_failed */
function tonDataOf(
  address: string,
  content: Buffer,
  isFormatted: boolean,
  asked: SignMessageTonMessage | undefined,
): SigningRequest {
  if (!asked)
    throw refused('context.tonMessage', 'tonMessage must say for which application it is, and when it was asked');
  const { domain, timestamp } = asked;
  const account = parseTonAddress(address)!;
  const kind = isFormatted ? 'bin' : 'txt';
  return { kind: 'tonData', data: writeTonData({ account, domain, timestamp, kind, content }) };
}

function psbtOf(message: string, config: WalletBitcoinConfig, isFormatted: boolean): SigningRequest {
  const { addressType = ADDRESS_TYPE, network = NETWORK } = config;
  if (addressType !== ADDRESS_TYPE) throw refused('bitcoinConfig.addressType', `addressType must be ${ADDRESS_TYPE}`);
  if (network !== NETWORK) throw refused('bitcoinConfig.network', `network must be ${NETWORK}`);
  if (isFormatted || !BASE64.test(message)) throw refused('message', 'message must be base64 of the PSBT');
  return { kind: 'psbt', psbt: Buffer.from(message, 'base64') };
}

export function keptRequest(request: SigningRequest): KeptRequest {
  switch (request.kind) {
    case 'message':
      return { kind: request.kind, bytes: Buffer.from(request.message).toString('base64') };
    case 'solanaTransaction':
    case 'suiTransaction':
    case 'tonTransaction':
      return { kind: request.kind, bytes: Buffer.from(request.transaction).toString('base64') };
    case 'tonData':
      return { kind: request.kind, bytes: Buffer.from(request.data).toString('base64') };
    case 'psbt':
      return { kind: request.kind, bytes: Buffer.from(request.psbt).toString('base64') };
    default:
      throw new Error(`No shared key signs ${request.kind}.`);
  }
}

export function requestOf({ kind, bytes }: KeptRequest): SigningRequest {
  const read = Buffer.from(bytes, 'base64');
  if (kind === 'psbt') return { kind, psbt: read };
  if (kind === 'tonData') return { kind, data: read };
  return kind === 'message' ? { kind, message: read } : { kind, transaction: read };
}

const refused = (field: string, message: string): Error => invalidFields([{ field, message }]);
