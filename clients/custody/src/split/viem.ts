import { hashMessage, hashTypedData, keccak256, serializeTransaction, toHex, type Hex, type LocalAccount } from 'viem';
import { toAccount } from 'viem/accounts';
import type { OpenedRoom } from '../ceremonies.js';
import { fromHex } from '../encoding.js';
import { openedRooms, type Rooms } from '../rooms.js';
import type { ShareSet } from '../shares.js';
import { signSplit, type SplitSigned } from './split-wallet.js';

/** Calls `signMessage` of the service, which opens a room for what is to be signed. */
export type OpenSigning = (walletId: string, request: object) => Promise<OpenedRoom>;

/** The connection for signing with a split wallet. */
export interface SplitConnection {
  readonly rooms: Rooms;
  readonly environmentId: string;
  readonly openSigning: OpenSigning;
}

/**
 * An EVM wallet with a split key, as a `viem` account. Each signature is one ceremony, during which the key exists on
 * this device; it is overwritten afterwards.
 */
export function splitAccount({ rooms, environmentId, openSigning }: SplitConnection, shares: ShareSet): LocalAccount {
  const sign = async (digest: Hex, request: object): Promise<SplitSigned> => {
    const { roomId, opening } = await openSigning(shares.walletId, request);
    return signSplit(openedRooms(rooms, opening), environmentId, shares, fromHex(digest.slice(2)), roomId);
  };
  return toAccount({
    address: shares.address as Hex,
    async signMessage({ message }) {
      const raw = typeof message === 'string' ? null : hexOf(message.raw);
      const request = raw === null ? { message } : { message: raw, context: { evmMessage: { raw } } };
      return (await sign(hashMessage(message), request)).signature;
    },
    async signTransaction(transaction, { serializer = serializeTransaction } = {}) {
      const message: Hex = await serializer(transaction);
      const { to, chainId } = transaction;
      if (!to || !chainId) throw new Error('The service signs no transaction without a recipient or a chain.');
      const context = { evmTransaction: { to, chainId } };
      const { signedTransaction } = await sign(keccak256(message), { message, context });
      if (!signedTransaction) throw new Error('The service answered no signed transaction.');
      return signedTransaction;
    },
    async signTypedData(typedData) {
      const message = hashTypedData(typedData);
      const { types, primaryType, domain = {}, message: values } = typedData as unknown as TypedDataJson;
      const evmTypedData = asJson({ types: withoutDomain(types), primaryType, domain, message: values });
      return (await sign(message, { message, context: { evmTypedData } })).signature;
    },
  });
}

interface TypedDataJson {
  readonly types: Readonly<Record<string, unknown>>;
  readonly primaryType: string;
  readonly domain?: Readonly<Record<string, unknown>>;
  readonly message: unknown;
}

const hexOf = (raw: Hex | Uint8Array): Hex => (typeof raw === 'string' ? raw : toHex(raw));

/** The domain's type is derived from the domain. */
const withoutDomain = (types: TypedDataJson['types']): TypedDataJson['types'] =>
  Object.fromEntries(Object.entries(types).filter(([name]) => name !== 'EIP712Domain'));

/** Numbers beyond 2^53 are sent as strings. A domain's chain id is a number. */
const asJson = ({ domain, ...rest }: TypedDataJson): object => {
  const { chainId, ...members } = domain ?? {};
  const shown = chainId === undefined ? members : { ...members, chainId: Number(chainId) };
  return JSON.parse(
    JSON.stringify({ ...rest, domain: shown }, (_, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    ),
  ) as object;
};
