import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import { Config } from '../../config/index.js';
import type { OpaqueToken } from '../api-tokens/opaque-token.js';
import { EnvironmentsProvisioner } from '../environments/environments-provisioner.js';
import { PeopleDirectory } from '../members/people-directory.js';
import { OrganizationsRepository } from '../organizations.repository.js';
import { InviteMails } from './invite-mails.js';
import { INVITE_DAYS } from './invite.errors.js';
import type { NewInvite } from './invites.repository.js';

/** Sends the invite link by email. */
@Injectable()
export class InviteLetters {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly provisioner: EnvironmentsProvisioner,
    private readonly people: PeopleDirectory,
    private readonly mails: InviteMails,
    private readonly config: Config,
  ) {}

  /** @throws ApiError 503 when the email could not be handed over to the mail server */
  async send(organizationId: OrganizationId, { email, role, createdBy }: NewInvite, token: OpaqueToken): Promise<void> {
    const [consoleEnvironmentId, organizationName, people] = await Promise.all([
      this.provisioner.ensureConsole(),
      this.organizations.nameOf(organizationId),
      this.people.findPeople([createdBy]),
    ]);
    await this.mails.send({
      ...{ consoleEnvironmentId, to: email, organizationName, role, days: INVITE_DAYS },
      invitedBy: people.get(createdBy)?.email ?? null,
      url: `${this.config.publicUrl}/invites/${token.raw}`,
    });
  }

  /** Whether a failed email is certain not to arrive. */
  isUnsent(error: unknown): boolean {
    return this.mails.isUnsent(error);
  }
}
