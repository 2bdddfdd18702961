import { base64 } from '@scure/base';
import { addressOf } from './addresses.js';
import { signInRoom, type OpenedRoom } from './ceremonies.js';
import { fromHex, toHex, utf8 } from './encoding.js';
import type { Signable } from './payload.js';
import { openedRooms, type Rooms } from './rooms.js';
import { callsTo, type Deployment } from './service.js';
import type { ShareSet } from './shares.js';

/** The request body of `signMessage`. */
export interface SignatureRequest {
  readonly message: string;
  /** The message is hexadecimal; the decoded bytes are signed. */
  readonly isFormatted?: boolean;
  readonly context?: object;
}

/** Opens a signing room by calling `signMessage`. Add any header it requires here. */
export type OpenSignature = (walletId: string, request: SignatureRequest) => Promise<OpenedRoom>;

/** Chains on which other packages request Ed25519 signatures for transactions. */
type SignerChain = 'SVM' | 'SUI' | 'TON';

type SignerRequest = Extract<Signable, { chain: SignerChain }>;

/** A key with the user's shares, on which the signers for other packages are based. */
export class SharedKey {
  readonly address: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;

  /** @throws Error when the shares do not belong to a wallet on this chain */
  constructor(
    private readonly shares: ShareSet,
    private readonly chain: SignerChain,
    private readonly rooms: Rooms,
    private readonly open: OpenSignature,
  ) {
    const publicKey = shares.publicShares.commitments[0]!;
    if (addressOf(chain, publicKey) !== shares.address) throw new Error(`The shares are of no wallet on ${chain}.`);
    this.address = shares.address;
    this.publicKey = fromHex(publicKey);
  }

  /** 64 bytes (RFC 8032). @throws OtherGeneration, MismatchedMessage, Error when the service refuses */
  async sign(kind: 'message' | 'transaction', bytes: Uint8Array): Promise<Uint8Array> {
    const { chain } = this;
    if (chain !== 'TON') return this.signed({ chain, kind, bytes });
    if (kind === 'message') throw new Error('On TON a message is for an application: use signData.');
    return this.signed({ chain, kind, bytes });
  }

  /**
   * Signs a text or bytes on TON for an application's domain (`signData` of TON Connect).
   *
   * @param timestamp Unix time in seconds
   * @throws OtherGeneration, MismatchedMessage, Error when the service refuses
   */
  async signData(content: string | Uint8Array, about: { domain: string; timestamp: number }): Promise<Uint8Array> {
    if (this.chain !== 'TON') throw new Error('Keys of TON alone sign for an application.');
    const isText = typeof content === 'string';
    const bytes = isText ? utf8(content) : content;
    return this.signed({ chain: 'TON', kind: 'message', bytes, isText, ...about, address: this.address });
  }

  private async signed(wanted: SignerRequest): Promise<Uint8Array> {
    const { roomId, opening } = await this.open(this.shares.walletId, requestFor(wanted));
    return (await signInRoom(openedRooms(this.rooms, opening), this.shares, wanted, roomId)).signature;
  }
}

/** `signMessage` of a deployment, over HTTP. Replace `fetch` to add a header, for instance. */
export function httpSignatures(deployment: Deployment, send: typeof fetch = fetch): OpenSignature {
  const call = callsTo(deployment, send);
  return (walletId, request) => call<OpenedRoom>(`waas/${walletId}/signMessage`, request);
}

/** The network does not affect the signature, so `chainId` is always that of the main network. */
function requestFor(wanted: SignerRequest): SignatureRequest {
  const { chain, kind, bytes } = wanted;
  if (chain === 'TON' && kind === 'message') {
    const { domain, timestamp, isText } = wanted;
    const message = isText ? new TextDecoder().decode(bytes) : toHex(bytes);
    return { message, isFormatted: !isText, context: { tonMessage: { domain, timestamp } } };
  }
  if (kind === 'message') return { message: toHex(bytes), isFormatted: true };
  const message = base64.encode(bytes);
  if (chain === 'TON') return { message, context: { tonTransaction: { serializedTransaction: message } } };
  if (chain === 'SUI')
    return { message, context: { suiTransaction: { chainId: '501', serializedTransaction: message } } };
  const svmTransaction = { chainId: '101', method: 'signTransaction', serializedTransactions: [message] };
  return { message, context: { svmTransaction } };
}
