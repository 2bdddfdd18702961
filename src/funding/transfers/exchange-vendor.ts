import type { ExchangeKey } from '../exchanges/exchange.dto.js';

/** Somebody's linked account, for the time of a call. */
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
  /** The vendor's own name for it. */
  reference: string;
  /** Made of the vendor's, where that is no UUID. */
  id: string;
  name?: string;
  type?: string;
  balances: VendorBalance[];
}

export interface VendorTransaction {
  reference: string;
  hash?: string;
  status?: string;
  /** For certain, and for good: of a payout nothing was moved. */
  hasFailed?: boolean;
  amount: number;
  currency: string;
  createdAt: Date;
  /** What the payout was sent with; null where the vendor does not say. */
  idempotencyKey?: string | null;
  /** Where it went, for payouts. */
  recipient?: string | null;
  /**
   * What a payout that is listed like this may have been asked for, the likeliest first, as amounts of payouts are
   * written. Absent where that is `amount`.
   */
  asked?: readonly string[];
}

export interface VendorDestination {
  address: string;
  tokens: string[];
  /** The vendor's name for it, which payouts name. */
  key: string;
  currency: string;
  /** How it is reached, in the vendor's words. */
  method: string;
}

export interface Payout {
  /** Never the same for two payouts. */
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

/** Why a vendor refuses a payout: for certain, nothing was moved. */
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

/** An exchange that people have accounts at. Every method throws VendorUnavailableError, and PayoutRefused `scopes`. */
export abstract class ExchangeVendor {
  abstract readonly key: ExchangeKey;
  /** Whether payouts go to addresses alone that the person has named at the exchange. */
  abstract readonly hasWhitelist: boolean;

  abstract accounts(session: ExchangeSession): Promise<VendorAccount[]>;
  /** The newest ones, of one account or all of them. */
  abstract transactions(session: ExchangeSession, accounts: readonly VendorAccount[]): Promise<VendorTransaction[]>;
  abstract destinations(session: ExchangeSession): Promise<VendorDestination[]>;
  /** Symbols that can be moved on a network. */
  abstract currenciesOn(session: ExchangeSession, network: string): Promise<ReadonlySet<string>>;
  /** Called once for each payout. @throws PayoutRefused; anything else leaves open whether it was sent */
  abstract send(session: ExchangeSession, payout: Payout): Promise<SentPayout>;
}
