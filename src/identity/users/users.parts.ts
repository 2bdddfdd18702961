import type { Provider, Type } from '@nestjs/common';
import { CredentialWriter } from '../credentials/credential-writer.js';
import { Credential } from '../credentials/credential.entity.js';
import { CredentialsRepository } from '../credentials/credentials.repository.js';
import { IdentifierClaim } from '../credentials/identifier-claim.entity.js';
import { IdentifierClaimsRepository } from '../credentials/identifier-claims.repository.js';
import { IdentityPurgeJob } from '../nonces/identity-purge.job.js';
import { NonceStore } from '../nonces/nonce-store.js';
import { Nonce } from '../nonces/nonce.entity.js';
import { NoncesController } from '../nonces/nonces.controller.js';
import { NoncesRepository } from '../nonces/nonces.repository.js';
import { VerificationsPurgeRepository } from '../nonces/verifications-purge.repository.js';
import { Visitor } from '../visits/visitor.entity.js';
import { VisitorsRepository } from '../visits/visitors.repository.js';
import { VisitsController } from '../visits/visits.controller.js';
import { VisitsService } from '../visits/visits.service.js';
import { BulkUsersService } from './bulk-users.service.js';
import { ConsoleMailboxes } from './console-mailboxes.js';
import { ConsolePeople } from './console-people.js';
import { FieldsCheckController } from './fields-check.controller.js';
import { FieldsCheckRepository } from './fields-check.repository.js';
import { FieldsCheckService } from './fields-check.service.js';
import { LegacyUsersController } from './legacy-users.controller.js';
import { UserCount } from './user-count.entity.js';
import { UserCreation } from './user-creation.js';
import { UserFacets } from './user-facets.js';
import { UserIdentities } from './user-identities.js';
import { UserListRepository } from './user-list.repository.js';
import { UserListService } from './user-list.service.js';
import { UserOwner } from './user-owner.js';
import { UserReader } from './user-reader.js';
import { UserSessionsRepository } from './user-sessions.repository.js';
import { UserSessionsService } from './user-sessions.service.js';
import { UserEntity } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

export const USER_ENTITIES: Type[] = [UserEntity, UserCount, Credential, IdentifierClaim, Nonce, Visitor];

export const USER_CONTROLLERS: Type[] = [
  UsersController,
  LegacyUsersController,
  FieldsCheckController,
  VisitsController,
  NoncesController,
];

export const USER_PROVIDERS: Provider[] = [
  UserFacets,
  UserIdentities,
  UserReader,
  UserCreation,
  UsersService,
  UserListService,
  UserSessionsService,
  BulkUsersService,
  FieldsCheckService,
  UserOwner,
  UsersRepository,
  UserListRepository,
  UserSessionsRepository,
  FieldsCheckRepository,
  CredentialWriter,
  CredentialsRepository,
  IdentifierClaimsRepository,
  VisitsService,
  VisitorsRepository,
  NonceStore,
  NoncesRepository,
  VerificationsPurgeRepository,
  IdentityPurgeJob,
  ConsolePeople,
  ConsoleMailboxes,
];
