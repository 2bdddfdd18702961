import { join } from 'node:path';
import type { AppParts } from '../app.module.js';
import { ConfigError, type Config } from '../config/index.js';
import { findFreePort, startEmbeddedPostgres } from '../database/index.js';
import { EgressPolicy } from '../outbound/index.js';
import { KeyRingError, openKeyVault, type KeyVault } from '../vault/index.js';
import { localSecrets, MASTER_KEY_FILE, type LocalSecrets } from './local-secrets.js';

export interface Prepared extends AppParts {
  /** The text of the local key ring, or empty. */
  ring: string;
  /** Stops what `prepare` started. */
  stop(): Promise<void>;
}

/**
 * Opens the vault and the database that the application needs. In development it provides what is missing: a master key
 * in DATA_DIR and an embedded PostgreSQL server.
 *
 * @throws before anything is created, for an EGRESS_ALLOW, a MASTER_KEY or a KEY_VAULT that cannot be used
 */
export async function prepare(settings: Config, log: (line: string) => void): Promise<Prepared> {
  new EgressPolicy(settings.egressAllow, { allowHttp: false, allowIpLiterals: false });
  const config = await withKnownPort(settings);
  const databaseUrl = config.get('DATABASE_URL');
  const hasKeys = config.get('MASTER_KEY') !== null || !config.keepsMasterKey;
  let local = hasKeys ? null : localSecrets(config.get('DATA_DIR'));
  const ring = config.get('MASTER_KEY') ?? local?.masterKey ?? '';
  const vault = await openVault(config, local);
  if (databaseUrl) return { config, vault, ring, stop: () => vault.close() };
  try {
    local ??= localSecrets(config.get('DATA_DIR'));
    const postgres = await startEmbeddedPostgres({
      dataDir: join(config.get('DATA_DIR'), 'postgres'),
      password: local.databasePassword,
      log,
    });
    const stop = async (): Promise<void> => {
      await vault.close();
      await postgres.stop();
    };
    return { config: config.with({ DATABASE_URL: postgres.url }), vault, ring, stop };
  } catch (error) {
    await vault.close();
    throw error;
  }
}

/** Links and issuers contain the port before anything listens on it, so for port 0 a free one is chosen here. */
async function withKnownPort(config: Config): Promise<Config> {
  return config.get('PORT') === 0 ? config.with({ PORT: await findFreePort() }) : config;
}

async function openVault(config: Config, local: LocalSecrets | null): Promise<KeyVault> {
  const given = config.get('MASTER_KEY');
  try {
    return await openKeyVault(config, given ?? local?.masterKey ?? '');
  } catch (error) {
    if (!(error instanceof KeyRingError) || !config.keepsMasterKey) throw error;
    throw new ConfigError(
      given
        ? `MASTER_KEY cannot be used: ${error.message} Generate one with: npm run cli -- keys generate`
        : `${join(config.get('DATA_DIR'), MASTER_KEY_FILE)} cannot be used: ${error.message} Restore it from a backup, or move DATA_DIR away to start empty.`,
    );
  }
}
