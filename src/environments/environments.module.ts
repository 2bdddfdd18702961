import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ClientSettingsSources } from './client-settings-sources.js';
import { ClientSettingsController } from './client-settings.controller.js';
import { ClientSettingsService } from './client-settings.service.js';
import { EnvironmentDefaults } from './environment-defaults.js';
import { EnvironmentSettingsReader } from './environment-settings-reader.js';
import { SETTINGS_CONTROLLERS, SETTINGS_ENTITIES, SETTINGS_PORTS, SETTINGS_PROVIDERS } from './environments.parts.js';
import { HealthcheckController } from './healthcheck.controller.js';
import { HealthcheckRepository } from './healthcheck.repository.js';
import { HealthcheckService } from './healthcheck.service.js';
import { OriginPolicy } from './origins/origin-policy.js';
import { Origin } from './origins/origin.entity.js';
import { OriginsRepository } from './origins/origins.repository.js';
import { ProjectEnvironmentsController } from './project-environments.controller.js';
import { ProjectEnvironmentsService } from './project-environments.service.js';
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

const PORTS = [EnvironmentSettingsReader, ClientSettingsSources, SigningKeys, OriginPolicy, ...SETTINGS_PORTS];

/** What one environment is configured with. Global: nearly every context above reads settings, keys or origins. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([...SETTINGS_ENTITIES, SigningKey, Origin])],
  controllers: [
    ...SETTINGS_CONTROLLERS,
    ClientSettingsController,
    JwksController,
    KeysController,
    HealthcheckController,
    ProjectEnvironmentsController,
  ],
  providers: [
    ...PORTS,
    ...SETTINGS_PROVIDERS,
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
  ],
  exports: PORTS,
})
export class EnvironmentsModule {}
