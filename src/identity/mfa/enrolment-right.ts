import { Injectable } from '@nestjs/common';
import { StepUp, type EndUserPrincipal } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { IdentifierClaimsRepository } from '../credentials/identifier-claims.repository.js';
import { provenAt } from '../sessions/proven-at.js';
import { SingleSignOn } from '../single-sign-on/single-sign-on.js';
import { SINGLE_SIGN_ON_AMR } from '../vocabulary/factors.js';
import { hasSecondFactor, isAnother } from './factors.js';
import type { MfaDeviceRow } from './mfa-device.entity.js';
import { MfaDevicesRepository } from './mfa-devices.repository.js';
import { FRESH_FACTOR_SECONDS, MAX_DEVICES } from './mfa-limits.js';
import { MfaPolicy, type Policy } from './mfa-policy.js';
import { MfaSession } from './mfa-session.js';
import { mfaInvalidRequest, secondFactorRequired } from './mfa.errors.js';

const FULL = 'The user has as many devices as there may be: remove one first.';

/** The settings and the session when the right was checked. */
export interface EnrolmentTerms {
  /** The device being enrolled, if any. */
  begun: MfaDeviceRow | null;
  /** Authentication methods of the session so far. */
  amr: readonly string[];
  /** The kinds that were enabled. */
  methods: Policy['methods'];
}

/**
 * Decides who may add a device: a user who has authenticated in the last five minutes and, if there is a device
 * already, gave the second factor in this session. A first factor alone must not extend the protection against its own
 * theft, and a hijacked session must not add a device that could then confirm actions. Devices of a disabled kind
 * protect nothing: they are neither requested nor usable (docs/decisions/0208).
 */
@Injectable()
export class EnrolmentRight {
  constructor(
    private readonly policy: MfaPolicy,
    private readonly devices: MfaDevicesRepository,
    private readonly session: MfaSession,
    private readonly claims: IdentifierClaimsRepository,
    private readonly singleSignOn: SingleSignOn,
    private readonly stepUp: StepUp,
    private readonly clock: Clock,
  ) {}

  /**
   * @param type of the new device
   * @param elevated the `x-elevated-access-token` header
   * @param finished id of an enrolment begun in the last five minutes, which needs no proof besides the one it began with
   * @throws ApiError 403 `fresh_proof_required` or `second_factor_required`, 422 `mfa_invalid_request`
   */
  async assert(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    type: MfaDeviceRow['type'],
    elevated: string | null,
    finished: string | null = null,
  ): Promise<EnrolmentTerms> {
    const policy = await this.policy.assertUsable(environmentId, type);
    const session = await this.session.assertAnother(environmentId, caller, type);
    const { amr } = session;
    const { methods } = policy;
    const all = await this.devices.listOf(environmentId, caller.userId);
    assertRoom(all, { amr, methods });
    if (await this.canGiveCode(environmentId, caller, policy, amr)) throw secondFactorRequired();
    const begun = all.find(({ verifiedAt }) => !verifiedAt) ?? null;
    const isProven = this.isRecent(provenAt(session)) || (begun?.id === finished && this.isRecent(begun?.createdAt));
    if (!isProven) await this.stepUp.assertFresh(environmentId, caller, 'credential:link', elevated);
    return { begun, amr, methods };
  }

  private isRecent(moment: Date | undefined): boolean {
    return moment !== undefined && this.clock.timestamp() - moment.getTime() <= FRESH_FACTOR_SECONDS * 1000;
  }

  /**
   * If everybody needs a second factor, a proven address is one: a user who cannot read it must not add a device
   * instead. Addresses held to single sign-on receive no codes, so users who signed in that way register a device.
   */
  private async canGiveCode(
    environmentId: EnvironmentId,
    { userId }: EndUserPrincipal,
    { isRequired, methods }: Policy,
    amr: readonly string[],
  ): Promise<boolean> {
    if (!isRequired || !methods.includes('email') || hasSecondFactor(amr) || !isAnother(amr, 'email')) return false;
    const emails = await this.claims.listProvenEmails(environmentId, userId);
    const asked = amr.includes(SINGLE_SIGN_ON_AMR) ? await this.singleSignOn.free(environmentId, emails) : emails;
    return asked.length > 0;
  }

  /**
   * Checked again in the transaction that adds the device: another session may have added one meanwhile.
   * @param terms from before the transaction, since this reads no settings, with the session's current `amr`
   */
  async assertStill(
    environmentId: EnvironmentId,
    userId: string,
    terms: Pick<EnrolmentTerms, 'amr' | 'methods'>,
    tx: Transaction,
  ): Promise<void> {
    await this.devices.lockUser(environmentId, userId, tx);
    assertRoom(await this.devices.listOf(environmentId, userId, tx), terms);
  }
}

/** Whether the user has a usable device. */
const hasUsable = (devices: readonly MfaDeviceRow[], methods: Policy['methods']): boolean =>
  devices.some(({ verifiedAt, type }) => verifiedAt && methods.includes(type));

function assertRoom(devices: readonly MfaDeviceRow[], { amr, methods }: Pick<EnrolmentTerms, 'amr' | 'methods'>): void {
  if (hasUsable(devices, methods) && !hasSecondFactor(amr)) throw secondFactorRequired();
  if (devices.filter(({ verifiedAt }) => verifiedAt).length >= MAX_DEVICES) throw mfaInvalidRequest({ hint: FULL });
}
