import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../../environments/index.js';
import { OrganizationsModule } from '../../organizations/index.js';
import { ProvidersModule } from '../../providers/index.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { AskedFieldsCheck } from './asked-fields.check.js';
import { BulkUsersService } from './bulk-users.service.js';
import { CausingUsers } from './causing-users.js';
import { ExternalIds } from './external-ids.js';
import { FieldsCheckController } from './fields-check.controller.js';
import { FieldsCheckRepository } from './fields-check.repository.js';
import { FieldsCheckService } from './fields-check.service.js';
import { GivenAccounts } from './given-accounts.js';
import { HandleDirectory } from './name-handles.js';
import { UsersImport } from './import/users-import.service.js';
import { LegacyUsersController } from './legacy-users.controller.js';
import { UserCount } from './user-count.entity.js';
import { UserCreation } from './user-creation.js';
import { UserFacets } from './user-facets.js';
import { UserIdentities } from './user-identities.js';
import { UserListRepository } from './user-list.repository.js';
import { UserListService } from './user-list.service.js';
import { UserOwner } from './user-owner.js';
import { UserReader } from './user-reader.js';
import { UserEntity } from './user.entity.js';
import { WalletChecks } from './wallet-checks.js';
import { UsernamesRepository } from './usernames.repository.js';
import { UsersController } from './users.controller.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

/** The users of an environment. */
@Module({
  imports: [
    EnvironmentsModule,
    OrganizationsModule,
    ProvidersModule,
    TypeOrmModule.forFeature([UserEntity, UserCount]),
    CredentialsModule,
  ],
  controllers: [UsersController, LegacyUsersController, FieldsCheckController],
  providers: [
    AskedFieldsCheck,
    UserFacets,
    UserIdentities,
    CausingUsers,
    ExternalIds,
    GivenAccounts,
    UserReader,
    UserCreation,
    UsersService,
    UserListService,
    BulkUsersService,
    UsersImport,
    FieldsCheckService,
    UserOwner,
    UsersRepository,
    UsernamesRepository,
    UserListRepository,
    FieldsCheckRepository,
    WalletChecks,
    HandleDirectory,
  ],
  exports: [
    UserFacets,
    UserIdentities,
    UserReader,
    UserCreation,
    UserOwner,
    UsersImport,
    UsersService,
    UsersRepository,
    UsernamesRepository,
    WalletChecks,
    HandleDirectory,
  ],
})
export class UsersModule {}
