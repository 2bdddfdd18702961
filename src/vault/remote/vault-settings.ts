import { ConfigError, type Config } from '../../config/index.js';
import type { KeyVault } from '../key-vault.js';
import { KeyRingError, KeyVaultUnavailableError } from '../vault.errors.js';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Fails the start if the vault cannot wrap and unwrap. */
export async function tried(vault: KeyVault, hint: string): Promise<KeyVault> {
  try {
    await vault.health();
    return vault;
  } catch (error) {
    await vault.close();
    throw refusalOf(error, hint);
  }
}

export function refusalOf(error: unknown, hint: string): unknown {
  if (error instanceof KeyRingError) return new ConfigError(error.message);
  return error instanceof KeyVaultUnavailableError ? new ConfigError(`${error.message} Please ${hint}.`) : error;
}

/** @throws ConfigError when it is not set */
export function needed(
  config: Config,
  name: 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY' | 'VAULT_ADDR' | 'VAULT_SECRET_ID',
  by: string,
): string {
  const value = config.get(name);
  if (value === null) throw new ConfigError(`${name} is missing: KEY_VAULT names ${by}, which needs it.`);
  return value;
}

/** Requires https except on loopback, since data keys and credentials are sent there. @throws ConfigError */
export function assertOrigin(name: string, text: string): void {
  const url = URL.parse(text);
  const isPlain = url !== null && url.pathname === '/' && !url.search && !url.username && !url.password;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname));
  if (!isPlain || !isSafe)
    throw new ConfigError(`${name} must be https://host, with a port or without, or a loopback address.`);
}
