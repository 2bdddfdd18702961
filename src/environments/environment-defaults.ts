import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../auth/index.js';
import type { Transaction } from '../database/index.js';
import { EnvironmentInitializer, EnvironmentInitializers, type NewEnvironment } from '../organizations/index.js';
import { EnvironmentSettingsRepository } from './environment-settings.repository.js';
import { defaultSettings } from './settings/default-settings.js';
import { SigningKeyMaker } from './signing-keys/signing-key-maker.js';
import { SigningKeysRepository } from './signing-keys/signing-keys.repository.js';

type NewKey = Awaited<ReturnType<SigningKeyMaker['make']>>;

/** Creates a new environment's settings and first signing key. Its rows are not contended before the commit. */
@Injectable()
export class EnvironmentDefaults extends EnvironmentInitializer {
  constructor(
    private readonly settings: EnvironmentSettingsRepository,
    private readonly keys: SigningKeysRepository,
    private readonly maker: SigningKeyMaker,
    initializers: EnvironmentInitializers,
  ) {
    super();
    initializers.register(this);
  }

  override prepare(environmentId: EnvironmentId): Promise<NewKey> {
    return this.maker.make(environmentId);
  }

  override async initialize(
    environmentId: EnvironmentId,
    { kind, projectName }: NewEnvironment,
    tx: Transaction,
    prepared: unknown,
  ): Promise<void> {
    await this.settings.insert(environmentId, { settings: defaultSettings(kind, projectName) }, tx);
    await this.keys.insert(environmentId, { ...(prepared as NewKey), status: 'current' }, tx);
  }
}
