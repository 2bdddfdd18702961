import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ActionFactors, StepUp, type ClientOrigin, type EndUserPrincipal } from '../../auth/index.js';
import {
  KeyExport,
  keyActorOf,
  KeyLedger,
  protocolOf,
  userSignsAlone,
  type ExportUse,
  type ShareScheme,
  type WalletOfShares,
} from '../../custody/index.js';
import { Outbox, type Transaction } from '../../database/index.js';
import { KeyNotices } from '../../wallets/index.js';
import { wholeKeyWaits } from '../waas.errors.js';
import { keyReleasedEvent } from '../waas.events.js';

/** The guard has asked for the factor of a reshare, where the settings have one. */
const RESHARE_THAT_EXPORTS = { action: 'wallet.waas.export', operation: 'wallet.waas.reshare' } as const;

/** By which scheme a key is shared, and by which it will be. */
export interface SchemeChange {
  readonly from: ShareScheme;
  readonly to: ShareScheme;
}

/** With what a user asks for it. */
export interface ReleaseRequest {
  /** What stands in `x-elevated-access-token`. */
  readonly elevated: string | null;
  /** What stands in `x-mfa-auth-token`. */
  readonly mfaToken: string | null;
  readonly client: ClientOrigin;
}

/** Shares that are on their way to the user. */
export interface LeavingShares extends SchemeChange {
  readonly roomId: string;
  readonly shares: readonly object[];
}

/**
 * Reshares after which the user's participants have as many shares as a signature takes, and had not before. What the
 * service deals in one of them is enough to put the whole key together, whether or not the ceremony is completed. So it
 * is an export of the key: it asks for what exports ask for, and is on record once the shares leave.
 */
@Injectable()
export class WholeKeys {
  constructor(
    private readonly exports: KeyExport,
    private readonly stepUp: StepUp,
    private readonly factors: ActionFactors,
    private readonly notices: KeyNotices,
    private readonly ledger: KeyLedger,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Uses up a second factor, if one is needed, and nothing else.
   * @throws ApiError whole_key_waits, the refusal of a policy, fresh_proof_required, mfa_token_required
   */
  async assertMayBegin(
    caller: EndUserPrincipal,
    wallet: WalletOfShares,
    change: SchemeChange,
    { elevated, mfaToken }: ReleaseRequest,
  ): Promise<void> {
    if (!releasesKey(change)) return;
    const { environmentId } = wallet;
    if (this.exports.delayHours > 0) throw wholeKeyWaits();
    await this.exports.assertAllowed(wallet, useOf(caller, wallet, change, 'reshare'));
    await this.stepUp.assertGiven(environmentId, caller, 'wallet:export', elevated);
    await this.factors.assertGivenBeside(environmentId, caller, RESHARE_THAT_EXPORTS, mfaToken);
  }

  /**
   * Uses the fresh proof up, if one is needed.
   *
   * @param assertAll what else may be refused: it is asked before, so that a refusal costs no proof
   * @throws ApiError fresh_proof_required, and what `assertAll` throws
   */
  async useProof(
    caller: EndUserPrincipal,
    { environmentId }: WalletOfShares,
    change: SchemeChange,
    { elevated }: ReleaseRequest,
    assertAll: () => Promise<void>,
  ): Promise<void> {
    if (!releasesKey(change)) return;
    await assertAll();
    await this.stepUp.assertFresh(environmentId, caller, 'wallet:export', elevated);
  }

  /** Tells the user that the whole key was asked for. */
  async begun(wallet: WalletOfShares, change: SchemeChange, { client }: ReleaseRequest): Promise<void> {
    if (!releasesKey(change)) return;
    const { environmentId, userId, address } = wallet;
    await this.notices.tell(environmentId, userId, { change: 'wholeKeyAsked', address }, client);
  }

  /** Before shares are made for the user: rules that were added meanwhile. @throws ApiError the refusal of a policy */
  async assertMayLeave(
    caller: EndUserPrincipal,
    wallet: WalletOfShares,
    { roomId, ...change }: Omit<LeavingShares, 'shares'>,
  ): Promise<void> {
    if (!releasesKey(change)) return;
    await this.exports.assertAllowed(wallet, useOf(caller, wallet, change, `reshare ${roomId}`));
  }

  /** Writes down that they leave, in the transaction that answers them: whatever becomes of the ceremony. */
  async leave(
    caller: EndUserPrincipal,
    wallet: WalletOfShares,
    { roomId, shares, ...change }: LeavingShares,
    tx: Transaction,
  ): Promise<void> {
    if (!releasesKey(change)) return;
    const { environmentId, userId, walletId, chain } = wallet;
    const digest = createHash('sha256').update(JSON.stringify(shares)).digest();
    const use = { ...useOf(caller, wallet, change, `reshare ${roomId}`), digest };
    this.ledger.record(environmentId, { operation: 'export', ...use, verdict: 'allowed' }, tx);
    const told = { id: walletId, userId, chain, thresholdSignatureScheme: change.to };
    await this.outbox.append(environmentId, [keyReleasedEvent(told)], tx);
  }
}

function useOf(caller: EndUserPrincipal, wallet: WalletOfShares, { to }: SchemeChange, reason: string): ExportUse {
  const { userId, walletId, keysId, chain, address } = wallet;
  const subject = { walletId, chain, address, protocol: protocolOf(wallet), scheme: to };
  return { actor: keyActorOf(caller), userId, keysId, subject, reason };
}

const releasesKey = ({ from, to }: SchemeChange): boolean => userSignsAlone(to) && !userSignsAlone(from);
