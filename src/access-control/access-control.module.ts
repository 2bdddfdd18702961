import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../environments/index.js';
import { IdentityModule } from '../identity/index.js';
import { NetworksModule } from '../networks/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { AllowlistEntriesController } from './allowlists/allowlist-entries.controller.js';
import { AllowlistEntriesRepository } from './allowlists/allowlist-entries.repository.js';
import { AllowlistEntriesService } from './allowlists/allowlist-entries.service.js';
import { AllowlistEntryOwner, AllowlistOwner } from './allowlists/allowlist-owners.js';
import { AllowlistImport } from './allowlists/allowlist-import.service.js';
import { AllowlistEntryKey, AllowlistEntryRow, AllowlistRow } from './allowlists/allowlist.entity.js';
import { AllowlistsController } from './allowlists/allowlists.controller.js';
import { AllowlistsPart } from './allowlists/allowlists.part.js';
import { AllowlistsRepository } from './allowlists/allowlists.repository.js';
import { AllowlistsService } from './allowlists/allowlists.service.js';
import { EnvironmentAllowlistsController } from './allowlists/environment-allowlists.controller.js';
import { AccessGrantRow } from './decisions/access-grant.entity.js';
import { AccessGrantsRepository } from './decisions/access-grants.repository.js';
import { AccessSweepJob } from './decisions/access-sweep.job.js';
import { AccessLosses } from './decisions/access-losses.js';
import { AccessSweep } from './decisions/access-sweep.js';
import { ListedUsers } from './decisions/listed-users.js';
import { AccessCheck } from './decisions/access-check.js';
import { EnabledRules } from './decisions/enabled-rules.js';
import { EnabledRulesRepository } from './decisions/enabled-rules.repository.js';
import { StandingsRepository } from './decisions/standings.repository.js';
import { GateTrialService } from './gates/gate-trial.service.js';
import { GateRow } from './gates/gate.entity.js';
import { GatesController } from './gates/gates.controller.js';
import { GatesPart } from './gates/gates.part.js';
import { GatesRepository } from './gates/gates.repository.js';
import { GatesService } from './gates/gates.service.js';
import { HoldingsReader } from './gates/holdings-reader.js';
import { ScreeningModule } from './screening/screening.module.js';
import { MovingModule } from '../moving/index.js';
import { AccessControlMerging } from './access-control.merging.js';
import { AccessControlMoving } from './access-control.moving.js';

/**
 * Decides who may sign in and with which scopes: token gates, allowlists of people, and screening of blocked wallets.
 */
@Module({
  imports: [
    MovingModule,
    TypeOrmModule.forFeature([GateRow, AllowlistRow, AllowlistEntryRow, AllowlistEntryKey, AccessGrantRow]),
    EnvironmentsModule,
    IdentityModule,
    NetworksModule,
    OrganizationsModule,
    ScreeningModule,
  ],
  controllers: [GatesController, EnvironmentAllowlistsController, AllowlistsController, AllowlistEntriesController],
  providers: [
    AccessControlMerging,
    AccessControlMoving,
    ...[GatesRepository, GatesService, GatesPart, GateTrialService, HoldingsReader],
    ...[AllowlistsRepository, AllowlistsService, AllowlistsPart, AllowlistOwner],
    ...[AllowlistEntriesRepository, AllowlistEntriesService, AllowlistEntryOwner, AllowlistImport],
    ...[EnabledRulesRepository, EnabledRules, AccessCheck],
    ...[AccessGrantsRepository, StandingsRepository, AccessSweep, AccessLosses, AccessSweepJob, ListedUsers],
  ],
})
export class AccessControlModule {}
