import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OidcModule } from '../oidc/index.js';
import { ClientSettingsSources } from './client-settings-sources.js';
import { ClientSettingsController } from './client-settings.controller.js';
import { ClientSettingsService } from './client-settings.service.js';
import { DeeplinkUrlOwner } from './deeplinks/deeplink-url-owner.js';
import { DeeplinkUrlEntity } from './deeplinks/deeplink-url.entity.js';
import { DeeplinkUrlsController } from './deeplinks/deeplink-urls.controller.js';
import { DeeplinkUrlsPart } from './deeplinks/deeplink-urls.part.js';
import { DeeplinkUrlsRepository } from './deeplinks/deeplink-urls.repository.js';
import { DeeplinkUrlsService } from './deeplinks/deeplink-urls.service.js';
import { EnvironmentDefaults } from './environment-defaults.js';
import { EnvironmentSettingsReader } from './environment-settings-reader.js';
import { SETTINGS_CONTROLLERS, SETTINGS_ENTITIES, SETTINGS_PORTS, SETTINGS_PROVIDERS } from './environments.parts.js';
import { HealthcheckController } from './healthcheck.controller.js';
import { HealthcheckRepository } from './healthcheck.repository.js';
import { HealthcheckService } from './healthcheck.service.js';
import { OrganizationsModule } from '../organizations/index.js';
import { ActiveHostnames } from './hostnames/active-hostnames.js';
import { CustomHostnameEntity } from './hostnames/custom-hostname.entity.js';
import { CustomHostnamesController } from './hostnames/custom-hostnames.controller.js';
import { CustomHostnamesRepository } from './hostnames/custom-hostnames.repository.js';
import { CustomHostnamesService } from './hostnames/custom-hostnames.service.js';
import { HostnameChecksJob } from './hostnames/hostname-checks.job.js';
import { HostnameChecks } from './hostnames/hostname-checks.service.js';
import { HostnameRecords } from './hostnames/hostname-records.js';
import { Cors } from './origins/cors.js';
import { OriginOwner } from './origins/origin-owner.js';
import { OriginPolicy } from './origins/origin-policy.js';
import { OriginEntity } from './origins/origin.entity.js';
import { OriginsController } from './origins/origins.controller.js';
import { OriginsPart } from './origins/origins.part.js';
import { OriginsRepository } from './origins/origins.repository.js';
import { OriginsService } from './origins/origins.service.js';
import { ReturnAddresses } from './origins/return-addresses.js';
import { ReturnAddressesRepository } from './origins/return-addresses.repository.js';
import { ProjectEnvironmentsController } from './project-environments.controller.js';
import { ProjectEnvironmentsService } from './project-environments.service.js';
import { EnvironmentParts } from './promotion/environment-parts.js';
import { EnvironmentPromotion } from './promotion/environment-promotion.service.js';
import { PromotionsController } from './promotion/promotions.controller.js';
import { Promotions } from './promotion/promotions.service.js';
import { PromotionLocksRepository } from './promotion/promotion-locks.repository.js';
import { SettingsChecks } from './settings/settings-checks.js';
import { SettingsPart } from './settings/settings.part.js';
import { JwksController } from './signing-keys/jwks.controller.js';
import { KeysController } from './signing-keys/keys.controller.js';
import { PublishedKeys } from './signing-keys/published-keys.js';
import { SealedSigningKeys } from './signing-keys/sealed-signing-keys.js';
import { SealedSigningKeysRepository } from './signing-keys/sealed-signing-keys.repository.js';
import { RsaKeyPairs } from './signing-keys/rsa-key-pairs.js';
import { SigningKeyMaker } from './signing-keys/signing-key-maker.js';
import { SigningKeyRotation } from './signing-keys/signing-key-rotation.service.js';
import { SigningKey } from './signing-keys/signing-key.entity.js';
import { SigningKeys } from './signing-keys/signing-keys.js';
import { SigningKeysRepository } from './signing-keys/signing-keys.repository.js';
import { MovingModule } from '../moving/index.js';
import { EnvironmentsMoving } from './environments.moving.js';

const PORTS = [
  EnvironmentSettingsReader,
  ClientSettingsSources,
  SettingsChecks,
  SigningKeys,
  OriginPolicy,
  ReturnAddresses,
  EnvironmentParts,
  EnvironmentPromotion,
  Cors,
  ActiveHostnames,
  ...SETTINGS_PORTS,
];

const HOSTNAMES = [
  CustomHostnamesRepository,
  CustomHostnamesService,
  HostnameRecords,
  HostnameChecks,
  HostnameChecksJob,
];

/** The configuration of an environment. */
@Module({
  imports: [
    MovingModule,
    OrganizationsModule,
    OidcModule,
    TypeOrmModule.forFeature([...SETTINGS_ENTITIES, SigningKey, OriginEntity, DeeplinkUrlEntity, CustomHostnameEntity]),
  ],
  // Express matches routes in order, so the most frequently called come first.
  controllers: [
    HealthcheckController,
    JwksController,
    ClientSettingsController,
    KeysController,
    ...SETTINGS_CONTROLLERS,
    ProjectEnvironmentsController,
    OriginsController,
    DeeplinkUrlsController,
    CustomHostnamesController,
    PromotionsController,
  ],
  providers: [
    EnvironmentsMoving,
    ...PORTS,
    ...SETTINGS_PROVIDERS,
    SigningKeysRepository,
    OriginsRepository,
    ReturnAddressesRepository,
    OriginsService,
    OriginOwner,
    DeeplinkUrlsRepository,
    DeeplinkUrlsService,
    DeeplinkUrlOwner,
    ...HOSTNAMES,
    HealthcheckRepository,
    ClientSettingsService,
    HealthcheckService,
    ProjectEnvironmentsService,
    PublishedKeys,
    RsaKeyPairs,
    SigningKeyMaker,
    SigningKeyRotation,
    SealedSigningKeys,
    SealedSigningKeysRepository,
    EnvironmentDefaults,
    PromotionLocksRepository,
    Promotions,
    SettingsPart,
    OriginsPart,
    DeeplinkUrlsPart,
  ],
  exports: PORTS,
})
export class EnvironmentsModule {}
