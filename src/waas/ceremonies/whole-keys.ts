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

/** The guard has asked for the second factor of a reshare, if required by the settings. */
const RESHARE_THAT_EXPORTS = { action: 'wallet.waas.export', operation: 'wallet.waas.reshare' } as const;

/** The current sharing scheme of a key, and the new one. */
export interface SchemeChange {
  readonly from: ShareScheme;
  readonly to: ShareScheme;
}

/** The credentials of a user who asks for it. */
export interface ReleaseRequest {
  /** The `x-elevated-access-token` header. */
  readonly elevated: string | null;
  /** The `x-mfa-auth-token` header. */
  readonly mfaToken: string | null;
  readonly client: ClientOrigin;
}

/** Shares about to be released to the user. */
export interface LeavingShares extends SchemeChange {
  readonly roomId: string;
  readonly shares: readonly object[];
}

/**
 * Reshares that give the user's participants, for the first time, as many shares as a signature needs. What the service
 * then deals is enough to reconstruct the key, whether or not the ceremony completes. It is therefore an export of the
 * key: it has the requirements of an export, and is recorded once the shares leave.
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
   * Uses up a second factor, if required, and nothing else.
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
   * Uses up the fresh proof, if required.
   *
   * @param assertAll all other checks: they run first, so that a refusal does not cost the proof
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

  /** Tells the user that the whole key was requested. */
  async begun(wallet: WalletOfShares, change: SchemeChange, { client }: ReleaseRequest): Promise<void> {
    if (!releasesKey(change)) return;
    const { environmentId, userId, address } = wallet;
    await this.notices.tell(environmentId, userId, { change: 'wholeKeyAsked', address }, client);
  }

  /** Before shares are made for the user: checks rules added meanwhile. @throws ApiError the refusal of a policy */
  async assertMayLeave(
    caller: EndUserPrincipal,
    wallet: WalletOfShares,
    { roomId, ...change }: Omit<LeavingShares, 'shares'>,
  ): Promise<void> {
    if (!releasesKey(change)) return;
    await this.exports.assertAllowed(wallet, useOf(caller, wallet, change, `reshare ${roomId}`));
  }

  /** Records the release in the transaction of the response, whatever becomes of the ceremony. */
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
    const released = { id: walletId, userId, chain, thresholdSignatureScheme: change.to };
    await this.outbox.append(environmentId, [keyReleasedEvent(released)], tx);
  }
}

function useOf(caller: EndUserPrincipal, wallet: WalletOfShares, { to }: SchemeChange, reason: string): ExportUse {
  const { userId, walletId, keysId, chain, address } = wallet;
  const subject = { walletId, chain, address, protocol: protocolOf(wallet), scheme: to };
  return { actor: keyActorOf(caller), userId, keysId, subject, reason };
}

const releasesKey = ({ from, to }: SchemeChange): boolean => userSignsAlone(to) && !userSignsAlone(from);
