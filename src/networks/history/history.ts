import { validationFailed, type ApiError } from '../../common/errors/index.js';
import type { EnvironmentId } from '../../auth/index.js';
import type { AccountNetwork } from '../account-networks.js';
import type { TransactionLabel, WalletTransactionAssetTransfer } from './history.dto.js';

/** How long a page is reused for the same question. */
export const KEPT_MS = 5_000;

/** Seconds since the Unix epoch within the range of a date, up to the year 9999. */
export const isTime = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 253_402_300_800;

/** A transaction of an account, without its explorer link. */
export interface PastTransaction {
  hash: string;
  blockNumber: number;
  blockHash: string;
  /** Seconds since the Unix epoch. */
  time: number;
  from: string;
  to: string;
  transfers: WalletTransactionAssetTransfer[];
}

export interface HistoryQuestion {
  environmentId: EnvironmentId;
  network: AccountNetwork;
  account: string;
  limit: number;
  offset: string | null;
}

export interface HistoryPage {
  transactions: PastTransaction[];
  next: string | null;
}

/** Lists the transactions of accounts on one kind of network, newest first. */
export interface HistorySource {
  /** @throws ChainUnreadableError, VendorUnavailableError, ApiError */
  page(question: HistoryQuestion): Promise<HistoryPage>;
}

/** From the account's perspective: sent, received, or both. */
export function labelsOf(account: string, transfers: readonly WalletTransactionAssetTransfer[]): TransactionLabel[] {
  const sent = transfers.some(({ fromAddress }) => fromAddress === account);
  const received = transfers.some(({ toAddress }) => toAddress === account);
  if (sent && received) return ['swap'];
  return sent ? ['sent'] : received ? ['receive'] : [];
}

export const wrongOffset = (): ApiError =>
  validationFailed({ payload: { fields: [{ field: 'offset', message: 'offset must be the nextOffset of a page' }] } });
