import { Injectable } from '@nestjs/common';
import { RATE_RULES, RateLimiter, type ClientOrigin, type EndUserPrincipal } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { RecentProof } from '../../assurance/recent-proof.js';
import type { Recipient } from '../../credentials/identifier-claims.repository.js';
import { identifierKeyOf, type IdentifierKey } from '../../credentials/identifier-key.js';
import { AccountNotices } from '../../notices/account-notices.js';
import { NotifiedChanges } from '../../notices/notified-changes.js';
import type { FullUser } from '../../users/full-user.js';
import type { StoredProfile } from '../../users/profile-columns.js';
import { UserReader } from '../../users/user-reader.js';
import { ContactChecks, type ContactCheck, type StartedCheck } from './contact-check.js';

/** Contacts a user wants to set; empty text is ignored. */
export type WantedContacts = Partial<Record<ContactCheck['kind'], string>>;

/** What may be stored at once, and the check that was started. */
export interface ContactChange {
  stored: StoredProfile;
  started: StartedCheck | null;
  /** The recipients of the notice about what is stored. */
  addresses: Recipient[];
}

/** Adds an address or number to the profile once its owner has proven it. Only one check starts at a time. */
@Injectable()
export class ContactChanges {
  constructor(
    private readonly users: UserReader,
    private readonly checks: ContactChecks,
    private readonly recent: RecentProof,
    private readonly notices: AccountNotices,
    private readonly limit: NotifiedChanges,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * A contact that is already proven becomes the main one at once, which requires a recent proof, like everything that
   * redirects an account's messages. A contact already in the profile is skipped, unless the environment wants it
   * verified and it was only stated. Codes sent from here count towards the client's rate limit for codes.
   * @throws ApiError 403 `fresh_proof_required`, 422 `invalid_email`, `invalid_phone`, 429, or an error of the check
   */
  async begin(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    wanted: WantedContacts,
    client: ClientOrigin,
  ): Promise<ContactChange> {
    const asked = (['email', 'phoneNumber'] as const).filter((kind) => wanted[kind]);
    const change: ContactChange = { stored: {}, started: null, addresses: [] };
    const unproven: (typeof asked)[number][] = [];
    if (asked.length === 0) return change;
    const user = await this.users.getFull(environmentId, caller.userId);
    for (const kind of asked) {
      const value = wanted[kind]!;
      const key = identifierKeyOf({ kind, value });
      const isStatedOnly = user.missingFields?.some(({ name, type }) => name === kind && type !== 'custom') === true;
      if (isInProfile(user, key) && !isStatedOnly) continue;
      if (user.verifiedCredentials.some((own) => own.verifiedAt && key.matches(own))) {
        Object.assign(change.stored, key.profile);
      } else unproven.push(kind);
    }
    const stored = Object.keys(change.stored);
    if (stored.length > 0) {
      await this.recent.assert(environmentId, caller, 'credential:link');
      // There is a notice of each.
      for (const _ of stored) await this.limit.assertWithin(environmentId, caller.userId);
      change.addresses = await this.notices.addressesOf(environmentId, caller.userId);
    }
    const [first] = unproven;
    if (first) {
      await this.limiter.assertWithin(RATE_RULES.codeSending, client);
      change.started = await this.checks.get(first).begin(environmentId, wanted[first]!, client);
    }
    return change;
  }

  /** Notifies every proven address of each new main contact. */
  async tell(environmentId: EnvironmentId, { stored, addresses }: ContactChange, client: ClientOrigin): Promise<void> {
    for (const about of ['email', 'phoneNumber'] as const) {
      if (!stored[about]) continue;
      await this.notices.tell(environmentId, addresses, {
        change: 'mainContactChanged',
        about,
        userAgent: client.userAgent,
      });
    }
  }
}

/** Whether the profile has it already, in any spelling. */
function isInProfile(user: FullUser, { kind, identifier }: IdentifierKey): boolean {
  const current = kind === 'email' ? user.email : user.phoneNumber;
  if (!current || (kind !== 'email' && kind !== 'phoneNumber')) return false;
  try {
    return identifierKeyOf({ kind, value: current }).identifier === identifier;
  } catch {
    // A number in the profile that was set by a server may be malformed.
    return false;
  }
}
