import type { ExchangeKey } from '../exchanges/exchange.dto.js';

/** A user's linked account, for the duration of a call. */
export interface ExchangeSession {
  credentialId: string;
  accessToken: string;
}

export interface VendorBalance {
  currency: string;
  balance: number;
  availableBalance?: number;
}

export interface VendorAccount {
  /** The vendor's id. */
  reference: string;
  /** Derived from the vendor's id, where that is not a UUID. */
  id: string;
  name?: string;
  type?: string;
  balances: VendorBalance[];
}

export interface VendorTransaction {
  reference: string;
  hash?: string;
  status?: string;
  /** Certain and final: the payout moved nothing. */
  hasFailed?: boolean;
  amount: number;
  currency: string;
  createdAt: Date;
  /** The key the payout was sent with; null where the vendor does not say. */
  idempotencyKey?: string | null;
  /** The recipient, for payouts. */
  recipient?: string | null;
  /**
   * Amounts that a payout listed like this may have been requested with, the likeliest first, written as in payouts.
   * Absent if that is `amount`.
   */
  asked?: readonly string[];
}

export interface VendorDestination {
  address: string;
  tokens: string[];
  /** The vendor's name for it, which payouts refer to. */
  key: string;
  currency: string;
  /** The withdrawal method, in the vendor's words. */
  method: string;
  /** What is sent along, where several recipients share an address. */
  memo: string;
}

export interface Payout {
  /** Unique for each payout. */
  id: string;
  account: string;
  recipient: string;
  /** A decimal without an exponent. */
  amount: string;
  currency: string;
  network: string | null;
  description: string | null;
  mfaCode: string | null;
}

export interface SentPayout {
  reference: string;
  status: string;
}

/** Why a vendor refuses a payout: certainly, nothing was moved. */
export type PayoutRefusal =
  'mfa_required' | 'mfa_failed' | 'amount' | 'address' | 'currency' | 'funds' | 'network' | 'scopes' | 'other';

export class PayoutRefused extends Error {
  override readonly name = 'PayoutRefused';

  constructor(
    readonly vendor: string,
    readonly refusal: PayoutRefusal,
  ) {
    super(`${vendor} refused a payout: ${refusal}`);
  }
}

/** An exchange where users have accounts. Every method throws VendorUnavailableError, and PayoutRefused `scopes`. */
export abstract class ExchangeVendor {
  abstract readonly key: ExchangeKey;
  /** Whether payouts only go to addresses that the user has registered at the exchange. */
  abstract readonly hasWhitelist: boolean;

  abstract accounts(session: ExchangeSession): Promise<VendorAccount[]>;
  /** The newest transactions, of one account or all of them. */
  abstract transactions(session: ExchangeSession, accounts: readonly VendorAccount[]): Promise<VendorTransaction[]>;
  abstract destinations(session: ExchangeSession): Promise<VendorDestination[]>;
  /** Symbols of currencies that can be moved on a network. */
  abstract currenciesOn(session: ExchangeSession, network: string): Promise<ReadonlySet<string>>;
  /** Called once per payout. @throws PayoutRefused; any other error leaves open whether it was sent */
  abstract send(session: ExchangeSession, payout: Payout): Promise<SentPayout>;
}
