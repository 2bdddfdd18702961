import { Injectable } from '@nestjs/common';
import { ChainUnreadableError } from '../rpc/chain-unreadable.error.js';
import type { RpcQuestion, RpcReply } from '../rpc/json-rpc.js';
import { RpcNetworks, type RpcNetwork } from '../rpc/rpc-networks.js';
import { RpcTransport } from '../rpc/rpc-transport.js';
import { lamportsOf } from '../rpc/solana-answers.js';
import { SingleFlight } from '../sources/single-flight.js';
import type { WalletTransactionAssetTransfer } from './history.dto.js';
import {
  isTime,
  KEPT_MS,
  wrongOffset,
  type HistoryPage,
  type HistoryQuestion,
  type HistorySource,
  type PastTransaction,
} from './history.js';

/** Transactions are large, and responses are size-limited. */
const MOST = 10;
const IN_BATCH = 5;
const CONFIRMED = { commitment: 'confirmed' };
const LAMPORTS = 1e9;

/**
 * https://github.com/anza-xyz/agave/blob/master/rpc-client-api/src/custom_error.rs: the block was cleaned up, is not
 * available, or was skipped (two codes); the version of the transaction is not supported.
 */
const NOT_KEPT: ReadonlySet<number> = new Set([-32001, -32004, -32007, -32009, -32015]);

interface Signature {
  signature: string;
  slot: number;
  blockTime: number | null;
}
interface Balance {
  owner?: string;
  mint: string;
  uiTokenAmount: { amount: string; decimals: number };
}
interface Meta {
  err: unknown;
  fee: bigint;
  preBalances: bigint[];
  postBalances: bigint[];
  preTokenBalances: Balance[];
  postTokenBalances: Balance[];
}

/** The signatures of an address, and the changes made by each transaction; needs no indexer. */
@Injectable()
export class SolanaHistory implements HistorySource {
  private readonly flights = new SingleFlight<HistoryPage>();

  constructor(
    private readonly networks: RpcNetworks,
    private readonly transport: RpcTransport,
  ) {}

  async page({ environmentId, network: ref, account, limit, offset }: HistoryQuestion): Promise<HistoryPage> {
    if (offset !== null && !/^[1-9A-HJ-NP-Za-km-z]{64,90}$/.test(offset)) {
      throw wrongOffset();
    }
    const network = await this.networks.get(environmentId, ref);
    const most = Math.min(limit, MOST);
    const key = `${network.key} ${account} ${most} ${offset}`;
    return this.flights.run(key, () => this.read(network, account, most, offset), { keptMs: KEPT_MS });
  }

  private async read(network: RpcNetwork, account: string, most: number, offset: string | null): Promise<HistoryPage> {
    const options = { ...CONFIRMED, limit: most, ...(offset !== null && { before: offset }) };
    const question = { method: 'getSignaturesForAddress', params: [account, options] };
    const signatures = await this.transport.ask(network, [question], ([reply]) => signaturesOf(reply, most));
    const slots = [...new Set(signatures.map(({ slot }) => slot))];
    const [details, hashes] = await Promise.all([
      this.batches(
        network,
        signatures.map(({ signature }) => detailOf(signature)),
        metaOf,
      ),
      this.batches(network, slots.map(blockOf), blockHashOf),
    ]);
    const blocks = new Map(slots.map((slot, at) => [slot, hashes[at]]));
    const transactions = signatures.flatMap((each, at) => {
      const [detail, blockHash] = [details[at], blocks.get(each.slot)];
      return detail && blockHash ? [pastOf(each, detail, blockHash, account)] : [];
    });
    // Otherwise the account would seem to have done nothing so far.
    if (offset === null && transactions.length === 0 && signatures.length > 0) throw garbage();
    return { transactions, next: signatures.length === most ? (signatures.at(-1)?.signature ?? null) : null };
  }

  private async batches<T>(
    network: RpcNetwork,
    questions: readonly RpcQuestion[],
    read: (reply?: RpcReply) => T,
  ): Promise<(T | null)[]> {
    const parts: Promise<(T | null)[]>[] = [];
    for (let at = 0; at < questions.length; at += IN_BATCH) {
      const part = questions.slice(at, at + IN_BATCH);
      parts.push(this.transport.ask(network, part, (replies) => part.map((_, index) => ifKept(replies[index], read))));
    }
    return (await Promise.all(parts)).flat();
  }
}

const detailOf = (signature: string): RpcQuestion => ({
  method: 'getTransaction',
  params: [signature, { ...CONFIRMED, encoding: 'json', maxSupportedTransactionVersion: 0 }],
});
const blockOf = (slot: number): RpcQuestion => ({
  method: 'getBlock',
  params: [slot, { ...CONFIRMED, transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 0 }],
});

/** Nodes list signatures for longer than they have the transactions. What one has lost does not affect the others. */
const ifKept = <T>(reply: RpcReply | undefined, read: (reply?: RpcReply) => T): T | null =>
  reply?.result === null || NOT_KEPT.has(reply?.error?.code ?? 0) ? null : read(reply);

const garbage = (): ChainUnreadableError => new ChainUnreadableError('garbage', 'the node answered no transactions');

/** Each is followed by two questions, so that a list that is longer than asked would be a flood. */
function signaturesOf(reply: RpcReply | undefined, most: number): Signature[] {
  if (!Array.isArray(reply?.result) || reply.result.length > most) throw garbage();
  const all = reply.result as Signature[];
  const isSound = ({ signature, slot, blockTime = null }: Signature): boolean =>
    typeof signature === 'string' && Number.isSafeInteger(slot) && (blockTime === null || isTime(blockTime));
  if (!all.every(isSound)) throw garbage();
  return all;
}

interface Detail {
  keys: string[];
  meta: Meta;
  time: number;
}

interface TransactionReply {
  blockTime?: number | null;
  meta?: {
    err: unknown;
    fee?: unknown;
    preBalances?: unknown[];
    postBalances?: unknown[];
    preTokenBalances?: Balance[] | null;
    postTokenBalances?: Balance[] | null;
    loadedAddresses?: { writable?: string[]; readonly?: string[] } | null;
  } | null;
  transaction?: { message?: { accountKeys?: unknown[] } };
}

function metaOf(reply: RpcReply | undefined): Detail {
  const { blockTime, meta, transaction } = (reply?.result ?? {}) as TransactionReply;
  const { writable = [], readonly = [] } = meta?.loadedAddresses ?? {};
  const keys = [...(transaction?.message?.accountKeys ?? []), ...writable, ...readonly];
  const [preBalances, postBalances] = [meta?.preBalances ?? [], meta?.postBalances ?? []].map((list) =>
    list.map(lamportsOf),
  ) as [bigint[], bigint[]];
  const isSound =
    keys.length > 0 &&
    keys.every((key) => typeof key === 'string') &&
    preBalances.length === keys.length &&
    postBalances.length === keys.length &&
    isTime(blockTime ?? 0);
  if (!meta || !isSound) throw garbage();
  const [preTokenBalances, postTokenBalances] = [meta.preTokenBalances ?? [], meta.postTokenBalances ?? []];
  if (![...preTokenBalances, ...postTokenBalances].every(isBalance)) throw garbage();
  return {
    keys,
    meta: {
      err: meta.err,
      fee: lamportsOf(meta.fee ?? 0),
      preBalances,
      postBalances,
      preTokenBalances,
      postTokenBalances,
    },
    time: blockTime ?? 0,
  };
}

const isBalance = ({ owner = '', mint, uiTokenAmount: { amount, decimals } }: Balance): boolean =>
  typeof owner === 'string' &&
  typeof mint === 'string' &&
  /^\d{1,20}$/.test(amount) &&
  Number.isInteger(decimals) &&
  decimals >= 0 &&
  decimals <= 255;

function blockHashOf(reply: RpcReply | undefined): string {
  const hash = (reply?.result as { blockhash?: unknown } | null | undefined)?.blockhash;
  if (typeof hash !== 'string' || hash === '') throw garbage();
  return hash;
}

function pastOf(
  { signature, slot, blockTime }: Signature,
  detail: Detail,
  blockHash: string,
  account: string,
): PastTransaction {
  const { keys, meta, time } = detail;
  const lamports = keys.map((key, at) => ({ key, change: Number(meta.postBalances[at]! - meta.preBalances[at]!) }));
  const own = lamports.find(({ key }) => key === account)?.change ?? 0;
  const transfers = meta.err === null ? tokenTransfers(meta, account) : [];
  const partner = lamports.find(({ key, change }) => key !== account && change !== 0 && change > 0 !== own > 0)?.key;
  // A change that is only the fee is not a transfer, whatever others move in a transaction that the account pays for.
  const isOnlyFee = keys[0] === account && own === -Number(meta.fee);
  if (own !== 0 && partner && !isOnlyFee && meta.err === null)
    transfers.unshift(transferOf(account, partner, own / LAMPORTS));
  const payer = keys[0] ?? account;
  const to = transfers.find(({ toAddress }) => toAddress !== payer)?.toAddress ?? account;
  return { hash: signature, blockNumber: slot, blockHash, time: blockTime ?? time, from: payer, to, transfers };
}

const transferOf = (account: string, other: string, change: number): WalletTransactionAssetTransfer =>
  change < 0
    ? { fromAddress: account, toAddress: other, amount: -change }
    : { fromAddress: other, toAddress: account, amount: change };

function tokenTransfers(
  { preTokenBalances, postTokenBalances }: Meta,
  account: string,
): WalletTransactionAssetTransfer[] {
  const changes = new Map<string, Map<string, { change: bigint; decimals: number }>>();
  for (const [balances, sign] of [
    [preTokenBalances, -1n],
    [postTokenBalances, 1n],
  ] as const) {
    for (const { owner = '', mint, uiTokenAmount } of balances) {
      const byOwner = changes.get(mint) ?? new Map<string, { change: bigint; decimals: number }>();
      const { change } = byOwner.get(owner) ?? { change: 0n };
      byOwner.set(owner, { change: change + sign * BigInt(uiTokenAmount.amount), decimals: uiTokenAmount.decimals });
      changes.set(mint, byOwner);
    }
  }
  return [...changes].flatMap(([mint, byOwner]) => {
    const own = byOwner.get(account);
    if (!own || own.change === 0n) return [];
    const other = [...byOwner].find(
      ([owner, { change }]) => owner !== account && change !== 0n && change > 0n !== own.change > 0n,
    );
    const transfer = transferOf(account, other?.[0] || mint, Number(own.change) / 10 ** own.decimals);
    return [{ ...transfer, tokenAddress: mint, metadata: { decimals: own.decimals } }];
  });
}
