import { ClientReport } from './client-reports/client-report.entity.js';
import { ClientReportsController } from './client-reports/client-reports.controller.js';
import { ClientReportsRepository } from './client-reports/client-reports.repository.js';
import { ClientReports } from './client-reports/client-reports.service.js';
import { EnvironmentSettingsController } from './environment-settings.controller.js';
import { EnvironmentSettings } from './environment-settings.entity.js';
import { EnvironmentSettingsRepository } from './environment-settings.repository.js';
import { EnvironmentSettingsService } from './environment-settings.service.js';
import { ExternalJwtCheck } from './external-jwt/external-jwt-check.service.js';
import { ExternalJwtController } from './external-jwt/external-jwt.controller.js';
import { ExternalTokens } from './external-jwt/external-tokens.js';
import { SdkViewsController } from './sdk-views/sdk-views.controller.js';
import { SdkViewsService } from './sdk-views/sdk-views.service.js';
import { EnvironmentSecret } from './secrets/environment-secret.entity.js';
import { EnvironmentSecrets } from './secrets/environment-secrets.js';
import { EnvironmentSecretsRepository } from './secrets/environment-secrets.repository.js';
import { SealedEnvironmentSecrets } from './secrets/sealed-environment-secrets.js';
import { SealedEnvironmentSecretsRepository } from './secrets/sealed-environment-secrets.repository.js';
import { SettingsWriter } from './settings-writer.js';
import { SettingsVersion } from './settings/versions/settings-version.entity.js';
import { SettingsVersionsRepository } from './settings/versions/settings-versions.repository.js';
import { TestAccountController } from './test-account/test-account.controller.js';
import { TestAccountRow } from './test-account/test-account.entity.js';
import { TestAccountEndings } from './test-account/test-account-endings.js';
import { TestAccountService } from './test-account/test-account.service.js';
import { TestAccounts } from './test-account/test-accounts.js';
import { TestAccountsRepository } from './test-account/test-accounts.repository.js';

/** Settings and related entities. */
export const SETTINGS_ENTITIES = [
  EnvironmentSettings,
  SettingsVersion,
  EnvironmentSecret,
  TestAccountRow,
  ClientReport,
];

export const SETTINGS_CONTROLLERS = [
  EnvironmentSettingsController,
  SdkViewsController,
  TestAccountController,
  ExternalJwtController,
  ClientReportsController,
];

/** Exported to other contexts. */
export const SETTINGS_PORTS = [
  ExternalTokens,
  EnvironmentSecrets,
  TestAccounts,
  TestAccountEndings,
  TestAccountService,
  ClientReports,
];

export const SETTINGS_PROVIDERS = [
  EnvironmentSettingsService,
  EnvironmentSettingsRepository,
  SettingsWriter,
  SettingsVersionsRepository,
  EnvironmentSecretsRepository,
  SealedEnvironmentSecrets,
  SealedEnvironmentSecretsRepository,
  SdkViewsService,
  TestAccountsRepository,
  ExternalJwtCheck,
  ClientReportsRepository,
];
