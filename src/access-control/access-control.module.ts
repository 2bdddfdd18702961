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
import { AccessCheck } from './decisions/access-check.js';
import { EnabledRules } from './decisions/enabled-rules.js';
import { EnabledRulesRepository } from './decisions/enabled-rules.repository.js';
import { GateTrialService } from './gates/gate-trial.service.js';
import { GateRow } from './gates/gate.entity.js';
import { GatesController } from './gates/gates.controller.js';
import { GatesPart } from './gates/gates.part.js';
import { GatesRepository } from './gates/gates.repository.js';
import { GatesService } from './gates/gates.service.js';
import { HoldingsReader } from './gates/holdings-reader.js';

/** Who comes in, and with which scopes: gates over what wallets hold, and lists of people. */
@Module({
  imports: [
    TypeOrmModule.forFeature([GateRow, AllowlistRow, AllowlistEntryRow, AllowlistEntryKey]),
    EnvironmentsModule,
    IdentityModule,
    NetworksModule,
    OrganizationsModule,
  ],
  controllers: [GatesController, EnvironmentAllowlistsController, AllowlistsController, AllowlistEntriesController],
  providers: [
    ...[GatesRepository, GatesService, GatesPart, GateTrialService, HoldingsReader],
    ...[AllowlistsRepository, AllowlistsService, AllowlistsPart, AllowlistOwner],
    ...[AllowlistEntriesRepository, AllowlistEntriesService, AllowlistEntryOwner, AllowlistImport],
    ...[EnabledRulesRepository, EnabledRules, AccessCheck],
  ],
})
export class AccessControlModule {}
