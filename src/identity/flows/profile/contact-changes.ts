import { Injectable } from '@nestjs/common';
import { RATE_RULES, RateLimiter, type ClientOrigin, type EndUserPrincipal } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { RecentProof } from '../../assurance/recent-proof.js';
import type { Recipient } from '../../credentials/identifier-claims.repository.js';
import { identifierKeyOf, type IdentifierKey } from '../../credentials/identifier-key.js';
import { AccountNotices } from '../../notices/account-notices.js';
import { ToldChanges } from '../../notices/told-changes.js';
import type { FullUser } from '../../users/full-user.js';
import type { StoredProfile } from '../../users/profile-columns.js';
import { UserReader } from '../../users/user-reader.js';
import { ContactChecks, type ContactCheck, type StartedCheck } from './contact-check.js';

/** What a user asks for; an empty text asks for nothing. */
export type WantedContacts = Partial<Record<ContactCheck['kind'], string>>;

/** What may be stored at once, and the check that has begun. */
export interface ContactChange {
  stored: StoredProfile;
  started: StartedCheck | null;
  /** Where the user is told of what is stored. */
  addresses: Recipient[];
}

/** An address or a number gets into the profile once its owner has proven it. One check begins at a time. */
@Injectable()
export class ContactChanges {
  constructor(
    private readonly users: UserReader,
    private readonly checks: ContactChecks,
    private readonly recent: RecentProof,
    private readonly notices: AccountNotices,
    private readonly told: ToldChanges,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * What is proven already becomes the main one at once, which asks for a recent proof, like everything that leads
   * messages of the account elsewhere. What the profile has already asks for nothing, unless the environment wants it
   * verified and it was only stated so far. A code that is sent from here is counted with all others of its client.
   * @throws ApiError 403 `fresh_proof_required`, 422 `invalid_email`, `invalid_phone`, 429, or what the check says
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
      const isStatedOnly = user.missingFields?.some(({ name }) => name === kind) === true;
      if (isInProfile(user, key) && !isStatedOnly) continue;
      if (user.verifiedCredentials.some((own) => own.verifiedAt && key.matches(own))) change.stored[kind] = value;
      else unproven.push(kind);
    }
    if (Object.keys(change.stored).length > 0) {
      await this.recent.assert(environmentId, caller, 'credential:link');
      await this.told.assertWithin(environmentId, caller.userId);
      change.addresses = await this.notices.addressesOf(environmentId, caller.userId);
    }
    const [first] = unproven;
    if (first) {
      await this.limiter.assertWithin(RATE_RULES.codeSending, client);
      change.started = await this.checks.get(first).begin(environmentId, wanted[first]!, client);
    }
    return change;
  }

  /** Says at every proven address what has become the main one. */
  async tell(environmentId: EnvironmentId, { stored, addresses }: ContactChange, client: ClientOrigin): Promise<void> {
    const about = stored.email ? 'email' : 'phoneNumber';
    await this.notices.tell(environmentId, addresses, {
      change: 'mainContactChanged',
      about,
      userAgent: client.userAgent,
    });
  }
}

/** Whether the profile shows it already, in whatever spelling. */
function isInProfile(user: FullUser, { kind, identifier }: IdentifierKey): boolean {
  const current = kind === 'email' ? user.email : user.phoneNumber;
  if (!current || (kind !== 'email' && kind !== 'phoneNumber')) return false;
  try {
    return identifierKeyOf({ kind, value: current }).identifier === identifier;
  } catch {
    // What a server wrote into the profile need not be a number.
    return false;
  }
}
