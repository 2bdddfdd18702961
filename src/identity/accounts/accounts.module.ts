import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../../organizations/index.js';
import { AssuranceModule } from '../assurance/assurance.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { CustomFieldsModule } from '../custom-fields/custom-fields.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { LinkingModule } from '../linking/linking.module.js';
import { NoticesModule } from '../notices/notices.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SingleSignOnModule } from '../single-sign-on/single-sign-on.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountUnlinking } from './account-unlinking.js';
import { AccountsController } from './accounts.controller.js';
import { CredentialRemovals } from './credential-removals.js';
import { CredentialRemovalsRepository } from './credential-removals.repository.js';
import { DeletedPeople } from './deleted-people.js';
import { DuplicateMerges } from './duplicate-merges.service.js';
import { DuplicateUnion } from './duplicate-union.js';
import { DuplicatesRepository } from './duplicates.repository.js';
import { ErasedAccount } from './erased-account.js';
import { Erasure } from './erasure.entity.js';
import { ErasuresJob, ErasuresPurge } from './erasures.job.js';
import { ErasuresRepository } from './erasures.repository.js';
import { Erasures } from './erasures.service.js';
import { PersonAddressesRepository } from './person-addresses.repository.js';
import { PersonExport } from './person-export.js';
import { PersonTracesRepository } from './person-traces.repository.js';
import { SentRecordsRegistry } from './sent-records.js';
import { MergeTransaction } from './merge-transaction.js';
import { Merges } from './merges.service.js';
import { Unlinks } from './unlinks.service.js';
import { Unmerges, UserRestoration } from './unmerges.service.js';
import { UserUnion } from './user-union.js';

/** Account management by users: unlinking credentials and merging two accounts. */
@Module({
  imports: [
    AssuranceModule,
    CredentialsModule,
    CustomFieldsModule,
    FlowsModule,
    LinkingModule,
    NoticesModule,
    OrganizationsModule,
    SessionsModule,
    SingleSignOnModule,
    TypeOrmModule.forFeature([Erasure]),
    UsersModule,
  ],
  controllers: [AccountsController],
  providers: [
    AccountUnlinking,
    CredentialRemovals,
    CredentialRemovalsRepository,
    DeletedPeople,
    DuplicateMerges,
    DuplicateUnion,
    DuplicatesRepository,
    ErasedAccount,
    Erasures,
    ErasuresJob,
    ErasuresPurge,
    ErasuresRepository,
    MergeTransaction,
    Merges,
    PersonAddressesRepository,
    PersonExport,
    PersonTracesRepository,
    SentRecordsRegistry,
    Unlinks,
    Unmerges,
    UserRestoration,
    UserUnion,
  ],
  exports: [DuplicateMerges, PersonExport, SentRecordsRegistry, Unmerges],
})
export class AccountsModule {}
