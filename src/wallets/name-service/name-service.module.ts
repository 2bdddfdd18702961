import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../../environments/index.js';
import { IdentityModule } from '../../identity/index.js';
import { NetworksModule } from '../../networks/index.js';
import { OrganizationsModule } from '../../organizations/index.js';
import { ClientNameDomain } from './client-name-domain.js';
import { ClientNamesController } from './client-names.controller.js';
import { DomainOwners } from './domain-owners.js';
import { DomainProofs } from './domain-proofs.js';
import { NameGateway } from './name-gateway.js';
import { NameProofsRepository } from './name-proofs.repository.js';
import { NameServiceController } from './name-service.controller.js';
import { NameProofRow, NameServiceRow, WalletNameRow } from './name-service.entity.js';
import { NameServicePart } from './name-service.part.js';
import { NameServiceService } from './name-service.service.js';
import { NameServicesRepository } from './name-services.repository.js';
import { NameSignerKeys } from './name-signer-keys.js';
import { OwnNames } from './own-names.service.js';
import { SealedNameKeysRepository } from './sealed-name-keys.repository.js';
import { SealedNameKeys } from './sealed-name-keys.js';
import { WalletNamesRepository } from './wallet-names.repository.js';

/** Names of wallets below a domain owned by the team. */
@Module({
  imports: [
    TypeOrmModule.forFeature([NameServiceRow, NameProofRow, WalletNameRow]),
    EnvironmentsModule,
    IdentityModule,
    NetworksModule,
    OrganizationsModule,
  ],
  controllers: [NameServiceController, ClientNamesController],
  providers: [
    ...[NameServicesRepository, NameServiceService, NameServicePart, DomainOwners, DomainProofs, NameProofsRepository],
    ...[NameSignerKeys, SealedNameKeys, SealedNameKeysRepository, WalletNamesRepository, OwnNames, NameGateway],
    ClientNameDomain,
  ],
})
export class NameServiceModule {}
