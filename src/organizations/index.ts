export { API_TOKEN_CREATED, API_TOKEN_DELETED } from './api-tokens/api-token.events.js';
export { ApiTokensService } from './api-tokens/api-tokens.service.js';
export { PersonalTokensService } from './api-tokens/personal-tokens.service.js';
export { SERVICE, type Actor } from './audit/actor.js';
export { AuditVerifier, type VerifiedTrail } from './audit/audit-verifier.js';
export type { ChangeScope } from './audit/audit-trail.js';
export { hinted } from './audit/redaction.js';
export { ChangeLog, type Change } from './change-log.js';
export { Departures } from './members/departures.js';
export {
  EnvironmentInitializer,
  EnvironmentInitializers,
  type NewEnvironment,
} from './environments/environment-initializer.js';
export { EnvironmentsProvisioner, type ProjectEnvironments } from './environments/environments-provisioner.js';
export { Memberships } from './members/memberships.js';
export { InviteMails, type InviteCarrier, type InviteLetter } from './invites/invite-mails.js';
export { Mailboxes, type MailboxSource } from './invites/mailboxes.js';
export type { MfaDeviceType } from './mfa/mfa-settings.dto.js';
export { MfaSettingsService } from './mfa/mfa-settings.service.js';
export { organizationNameAlreadyExists } from './organization.errors.js';
export { OrganizationsModule } from './organizations.module.js';
export { OrganizationsService } from './organizations.service.js';
export { PeopleDirectory, type PeopleSource, type Person } from './members/people-directory.js';
export { ProjectOwner } from './projects/project-owner.js';
export { ProjectsService } from './projects/projects.service.js';
export { emailDomainOf } from './sso/issuer.js';
export { directoryOf, isOpenIn, SsoProviders, type SsoConnection } from './sso/sso-providers.js';
