import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdentityModule } from '../../identity/index.js';
import { ObservabilityModule } from '../../observability/index.js';
import { OrganizationsModule } from '../../organizations/index.js';
import { NewWalletsCheck, ScreeningCheck } from './screening-check.js';
import { ScreeningChecksFacet } from './screening-checks.facet.js';
import { ScreeningChecksRepository } from './screening-checks.repository.js';
import { SanctionsApi } from './sanctions-api.js';
import { SanctionsImport } from './sanctions-import.js';
import { SanctionsList } from './sanctions-list.js';
import { SanctionsListsRepository } from './sanctions-lists.repository.js';
import { ScreeningController } from './screening.controller.js';
import { SanctionsListRow, ScreeningCheckRow, ScreeningIntegrationRow } from './screening.entities.js';
import { ScreeningRepository } from './screening.repository.js';
import { ScreeningService } from './screening.service.js';
import { ScreeningSources } from './screening-sources.js';
import { WalletScreening } from './wallet-screening.js';

/** Rejects wallets on sanctions lists. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ScreeningIntegrationRow, ScreeningCheckRow, SanctionsListRow]),
    IdentityModule,
    ObservabilityModule,
    OrganizationsModule,
  ],
  controllers: [ScreeningController],
  providers: [
    ...[ScreeningRepository, ScreeningService, WalletScreening, ScreeningCheck, NewWalletsCheck],
    ...[ScreeningSources, SanctionsApi, SanctionsList, SanctionsListsRepository, SanctionsImport],
    ...[ScreeningChecksRepository, ScreeningChecksFacet],
  ],
})
export class ScreeningModule {}
