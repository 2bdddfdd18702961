import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OidcModule } from '../oidc/index.js';
import { TenantDirectory } from '../auth/index.js';
import { ApiToken } from './api-tokens/api-token.entity.js';
import { ApiTokensController } from './api-tokens/api-tokens.controller.js';
import { ApiTokensRepository } from './api-tokens/api-tokens.repository.js';
import { ApiTokensService } from './api-tokens/api-tokens.service.js';
import { EnvironmentTokenStrategy } from './api-tokens/environment-token.strategy.js';
import { EnvironmentTokens } from './api-tokens/environment-tokens.js';
import { ExpiredTokensPurge } from './api-tokens/expired-tokens-purge.job.js';
import { PersonalToken } from './api-tokens/personal-token.entity.js';
import { PersonalTokenStrategy } from './api-tokens/personal-token.strategy.js';
import { OrganizationTokensController } from './api-tokens/organization-tokens.controller.js';
import { OrganizationTokens } from './api-tokens/organization-tokens.service.js';
import { PersonalTokensController } from './api-tokens/personal-tokens.controller.js';
import { PersonalTokens } from './api-tokens/personal-tokens.js';
import { PersonalTokensRepository } from './api-tokens/personal-tokens.repository.js';
import { PersonalTokensService } from './api-tokens/personal-tokens.service.js';
import { TokenMakers } from './api-tokens/token-makers.js';
import { AuditHead } from './audit/audit-head.entity.js';
import { AuditRecordRow } from './audit/audit-record.entity.js';
import { AuditHeadsJob } from './audit/audit-heads.job.js';
import { AuditRecordsController } from './audit/audit-records.controller.js';
import { AuditRecordsRepository } from './audit/audit-records.repository.js';
import { AuditRecordsService } from './audit/audit-records.service.js';
import { AuditRepository } from './audit/audit.repository.js';
import { AuditTrail } from './audit/audit-trail.js';
import { AuditVerifier } from './audit/audit-verifier.js';
import { ChangeLog } from './change-log.js';
import { ConsoleEnvironment } from './environments/console-environment.js';
import { DeletedEnvironmentsRepository } from './environments/deleted-environments.repository.js';
import { Departures } from './members/departures.js';
import { HeldRoles } from './members/held-roles.js';
import { MemberChanges } from './members/member-changes.js';
import { EnvironmentInitializers } from './environments/environment-initializer.js';
import { Environment } from './environments/environment.entity.js';
import { EnvironmentsProvisioner } from './environments/environments-provisioner.js';
import { EnvironmentsPurge } from './environments/environments-purge.job.js';
import { EnvironmentsRemover } from './environments/environments-remover.js';
import { EnvironmentsRepository } from './environments/environments.repository.js';
import { InviteRow } from './invites/invite.entity.js';
import { InviteMails } from './invites/invite-mails.js';
import { Mailboxes } from './invites/mailboxes.js';
import { PeopleDirectory } from './members/people-directory.js';
import { InviteOwner } from './invites/invite-owner.js';
import { InvitePageController } from './invites/invite-page.controller.js';
import { InvitesController } from './invites/invites.controller.js';
import { InvitesPurge } from './invites/invites-purge.job.js';
import { InvitesRepository } from './invites/invites.repository.js';
import { InviteLetters } from './invites/invite-letters.js';
import { InviteRecords } from './invites/invite-records.js';
import { InvitesService } from './invites/invites.service.js';
import { OrganizationInvitesController } from './invites/organization-invites.controller.js';
import { ReceivedInvites } from './invites/received-invites.service.js';
import { Member } from './members/member.entity.js';
import { MemberOwner } from './members/member-owner.js';
import { MembersController } from './members/members.controller.js';
import { MembersRepository } from './members/members.repository.js';
import { MembersService } from './members/members.service.js';
import { MembershipEnvironmentsController } from './members/membership-environments.controller.js';
import { Memberships } from './members/memberships.js';
import { MfaSettingRow } from './mfa/mfa-setting.entity.js';
import { MfaSettingsController } from './mfa/mfa-settings.controller.js';
import { MfaSettingsRepository } from './mfa/mfa-settings.repository.js';
import { MfaSettingsService } from './mfa/mfa-settings.service.js';
import { OrganizationDirectory } from './organization-directory.js';
import { OrganizationMembersController } from './members/organization-members.controller.js';
import { OrganizationProjectsController } from './projects/organization-projects.controller.js';
import { Organization } from './organization.entity.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { OrganizationsService } from './organizations.service.js';
import { ProjectOwner } from './projects/project-owner.js';
import { Project } from './projects/project.entity.js';
import { ProjectsController } from './projects/projects.controller.js';
import { ProjectsRepository } from './projects/projects.repository.js';
import { ProjectsService } from './projects/projects.service.js';
import { ClientSecrets } from './sso/client-secrets.js';
import { DomainProofsJob } from './sso/domain-proofs.job.js';
import { DomainProofs } from './sso/domain-proofs.service.js';
import { SealedClientSecrets } from './sso/sealed-client-secrets.js';
import { SealedClientSecretsRepository } from './sso/sealed-client-secrets.repository.js';
import { SsoProviderRow } from './sso/sso-provider.entity.js';
import { SsoProviders } from './sso/sso-providers.js';
import { SsoProvidersController } from './sso/sso-providers.controller.js';
import { SsoProvidersRepository } from './sso/sso-providers.repository.js';
import { SsoProvidersService } from './sso/sso-providers.service.js';
import { MovingModule } from '../moving/index.js';
import { OrganizationsMoving } from './organizations.moving.js';

const PORTS = [
  InviteMails,
  Mailboxes,
  PeopleDirectory,
  AuditVerifier,
  ChangeLog,
  Departures,
  Memberships,
  OrganizationsService,
  ProjectsService,
  EnvironmentsProvisioner,
  EnvironmentInitializers,
  ApiTokensService,
  PersonalTokensService,
  MfaSettingsService,
  SsoProviders,
];

/** The owners of environments, and the tokens that grant access to them. */
@Module({
  imports: [
    MovingModule,
    OidcModule,
    TypeOrmModule.forFeature([
      Organization,
      Project,
      Environment,
      Member,
      InviteRow,
      MfaSettingRow,
      SsoProviderRow,
      ApiToken,
      PersonalToken,
      AuditHead,
      AuditRecordRow,
    ]),
  ],
  controllers: [
    OrganizationsController,
    OrganizationMembersController,
    MembersController,
    MembershipEnvironmentsController,
    OrganizationProjectsController,
    ProjectsController,
    OrganizationInvitesController,
    InvitesController,
    InvitePageController,
    MfaSettingsController,
    SsoProvidersController,
    AuditRecordsController,
    ApiTokensController,
    OrganizationTokensController,
    PersonalTokensController,
  ],
  providers: [
    OrganizationsMoving,
    ...PORTS,
    AuditHeadsJob,
    AuditRecordsRepository,
    OrganizationTokens,
    AuditRecordsService,
    AuditRepository,
    AuditTrail,
    OrganizationsRepository,
    ProjectsRepository,
    EnvironmentsRepository,
    ConsoleEnvironment,
    DeletedEnvironmentsRepository,
    EnvironmentsPurge,
    EnvironmentsRemover,
    HeldRoles,
    MemberChanges,
    MembersRepository,
    MembersService,
    MemberOwner,
    ApiTokensRepository,
    PersonalTokensRepository,
    EnvironmentTokens,
    ExpiredTokensPurge,
    InvitesPurge,
    TokenMakers,
    PersonalTokens,
    ProjectOwner,
    InviteOwner,
    InvitesRepository,
    InviteLetters,
    InviteRecords,
    InvitesService,
    ReceivedInvites,
    MfaSettingsRepository,
    ClientSecrets,
    DomainProofs,
    DomainProofsJob,
    SealedClientSecrets,
    SealedClientSecretsRepository,
    SsoProvidersRepository,
    SsoProvidersService,
    EnvironmentTokenStrategy,
    PersonalTokenStrategy,
    OrganizationDirectory,
    { provide: TenantDirectory, useExisting: OrganizationDirectory },
  ],
  exports: [...PORTS, TenantDirectory],
})
export class OrganizationsModule {}
