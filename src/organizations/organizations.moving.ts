import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../database/index.js';
import { MovingPart, MovingParts, MovingRefusedError, moves, stays } from '../moving/index.js';
import { ApiToken } from './api-tokens/api-token.entity.js';
import { PersonalToken } from './api-tokens/personal-token.entity.js';
import { AuditHead } from './audit/audit-head.entity.js';
import { AuditRecordRow } from './audit/audit-record.entity.js';
import { Environment } from './environments/environment.entity.js';
import { InviteRow } from './invites/invite.entity.js';
import { Member } from './members/member.entity.js';
import { MfaSettingRow } from './mfa/mfa-setting.entity.js';
import { Organization } from './organization.entity.js';
import { Project } from './projects/project.entity.js';
import { ProjectsRepository } from './projects/projects.repository.js';
import { SsoProviderRow } from './sso/sso-provider.entity.js';

@Injectable()
export class OrganizationsMoving extends MovingPart {
  readonly moving = [
    moves(Organization, { reach: 'organization' }),
    moves(Project, { reach: 'project' }),
    moves(Environment, { reach: 'itself' }),
  ];
  readonly staying = [
    ...stays('members are users of the console here; the new installation names an owner of its own', Member),
    ...stays('an invitation leads to this installation', InviteRow),
    ...stays('tokens open this installation; new ones are made there', ApiToken, PersonalToken),
    ...stays('the trail tells what was done here', AuditHead, AuditRecordRow),
    ...stays('it is about members, who stay', MfaSettingRow, SsoProviderRow),
  ];

  constructor(
    private readonly projects: ProjectsRepository,
    parts: MovingParts,
  ) {
    super(parts);
  }

  /** Nobody would delete an environment that came into a deleted project. */
  override async importing(environmentId: EnvironmentId, tx: Transaction): Promise<void> {
    if (await this.projects.holdOfImport(environmentId, tx)) return;
    throw new MovingRefusedError('The project was deleted here and is being removed: try again in a few minutes.');
  }
}
