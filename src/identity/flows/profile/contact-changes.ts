import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { identifierKeyOf, type IdentifierKey } from '../../credentials/identifier-key.js';
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
}

/** An address or a number gets into the profile once its owner has proven it. One check begins at a time. */
@Injectable()
export class ContactChanges {
  constructor(
    private readonly users: UserReader,
    private readonly checks: ContactChecks,
  ) {}

  /** @throws ApiError 422 `invalid_email`, `invalid_phone`, or what the check says */
  async begin(
    environmentId: EnvironmentId,
    userId: string,
    wanted: WantedContacts,
    client: ClientOrigin,
  ): Promise<ContactChange> {
    const asked = (['email', 'phoneNumber'] as const).filter((kind) => wanted[kind]);
    const change: ContactChange = { stored: {}, started: null };
    if (asked.length === 0) return change;
    const user = await this.users.getFull(environmentId, userId);
    for (const kind of asked) {
      const value = wanted[kind]!;
      const key = identifierKeyOf({ kind, value });
      if (isInProfile(user, key)) continue;
      if (user.verifiedCredentials.some((own) => own.verifiedAt && key.matches(own))) change.stored[kind] = value;
      else change.started ??= await this.checks.get(kind).begin(environmentId, value, client);
    }
    return change;
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
