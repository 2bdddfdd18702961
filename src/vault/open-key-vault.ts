import { ConfigError, type Config } from '../config/index.js';
import { KeyVaultSuccession } from './key-vault-succession.js';
import type { KeyVault } from './key-vault.js';
import { parseKeyRing } from './key-ring-text.js';

/**
 * Opens the configured vault and tests it once.
 *
 * @param ring the text of the local ring, where KEY_VAULT names it
 * @throws ConfigError for settings that cannot be used, KeyRingError for a ring that cannot
 */
export async function openKeyVault(config: Config, ring: string): Promise<KeyVault> {
  const names = config.get('KEY_VAULT') as readonly (keyof typeof OPEN)[];
  if (new Set(names).size < names.length) throw new ConfigError('KEY_VAULT names a vault twice.');
  const opened: KeyVault[] = [];
  try {
    for (const name of names) opened.push(await OPEN[name](config, ring));
    const [current, ...former] = opened;
    if (!current) throw new ConfigError('KEY_VAULT names no vault.');
    return former.length === 0 ? current : new KeyVaultSuccession(current, former);
  } catch (error) {
    await Promise.all(opened.map((vault) => vault.close()));
    throw error;
  }
}

/** Remote vaults are loaded only if configured: with their HTTP client they are a good part of a signer's memory. */
const OPEN = {
  local: async (_config: Config, ring: string): Promise<KeyVault> => parseKeyRing(ring),
  'aws-kms': async (config: Config): Promise<KeyVault> =>
    (await import('./aws-kms/open-aws-kms.js')).openAwsKms(config),
  vault: async (config: Config): Promise<KeyVault> => (await import('./transit/open-transit.js')).openTransit(config),
} as const;
