import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ClientSettingsSources } from './client-settings-sources.js';
import { ClientSettingsController } from './client-settings.controller.js';
import { ClientSettingsService } from './client-settings.service.js';
import { EnvironmentDefaults } from './environment-defaults.js';
import { EnvironmentSettingsReader } from './environment-settings-reader.js';
import { EnvironmentSettings } from './environment-settings.entity.js';
import { EnvironmentSettingsRepository } from './environment-settings.repository.js';
import { HealthcheckController } from './healthcheck.controller.js';
import { HealthcheckRepository } from './healthcheck.repository.js';
import { HealthcheckService } from './healthcheck.service.js';
import { OriginPolicy } from './origins/origin-policy.js';
import { Origin } from './origins/origin.entity.js';
import { OriginsRepository } from './origins/origins.repository.js';
import { ProjectEnvironmentsController } from './project-environments.controller.js';
import { ProjectEnvironmentsService } from './project-environments.service.js';
import { EnvironmentParts } from './promotion/environment-parts.js';
import { EnvironmentPromotion } from './promotion/environment-promotion.service.js';
import { PromotionLocksRepository } from './promotion/promotion-locks.repository.js';
import { SettingsPart } from './settings/settings.part.js';
import { JwksController } from './signing-keys/jwks.controller.js';
import { KeysController } from './signing-keys/keys.controller.js';
import { PublishedKeys } from './signing-keys/published-keys.js';
import { SealedSigningKeys } from './signing-keys/sealed-signing-keys.js';
import { SealedSigningKeysRepository } from './signing-keys/sealed-signing-keys.repository.js';
import { SigningKeyMaker } from './signing-keys/signing-key-maker.js';
import { SigningKeyRotation } from './signing-keys/signing-key-rotation.service.js';
import { SigningKey } from './signing-keys/signing-key.entity.js';
import { SigningKeys } from './signing-keys/signing-keys.js';
import { SigningKeysRepository } from './signing-keys/signing-keys.repository.js';

const PORTS = [
  EnvironmentSettingsReader,
  ClientSettingsSources,
  SigningKeys,
  OriginPolicy,
  EnvironmentParts,
  EnvironmentPromotion,
];

/** What one environment is configured with. Global: nearly every context above reads settings, keys or origins. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([EnvironmentSettings, SigningKey, Origin])],
  controllers: [
    ClientSettingsController,
    JwksController,
    KeysController,
    HealthcheckController,
    ProjectEnvironmentsController,
  ],
  providers: [
    ...PORTS,
    EnvironmentSettingsRepository,
    SigningKeysRepository,
    OriginsRepository,
    HealthcheckRepository,
    ClientSettingsService,
    HealthcheckService,
    ProjectEnvironmentsService,
    PublishedKeys,
    SigningKeyMaker,
    SigningKeyRotation,
    SealedSigningKeys,
    SealedSigningKeysRepository,
    EnvironmentDefaults,
    PromotionLocksRepository,
    SettingsPart,
  ],
  exports: PORTS,
})
export class EnvironmentsModule {}
