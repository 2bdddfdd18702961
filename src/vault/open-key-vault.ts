import { Clock } from '../common/clock.js';
import { ConfigError, type Config } from '../config/index.js';
import { AwsKmsVault, KMS_KEY_ARN, regionOf } from './aws-kms/aws-kms-vault.js';
import { KmsClient, kmsHost } from './aws-kms/kms-client.js';
import { KeyVaultSuccession } from './key-vault-succession.js';
import type { KeyVault } from './key-vault.js';
import { parseKeyRing } from './key-ring-text.js';
import { VaultLink } from './remote/vault-link.js';
import { TransitClient, type TransitLogin } from './transit/transit-client.js';
import { TransitVault } from './transit/transit-vault.js';
import { KeyRingError, KeyVaultUnavailableError } from './vault.errors.js';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const MOUNT = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}(?:\/[A-Za-z0-9][A-Za-z0-9_.-]{0,59}){0,2}$/;
const KEY_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/;

/**
 * The vault that the settings name, tried once.
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

const OPEN = {
  local: async (_config: Config, ring: string): Promise<KeyVault> => parseKeyRing(ring),
  'aws-kms': openAwsKms,
  vault: openTransit,
} as const;

async function openAwsKms(config: Config): Promise<KeyVault> {
  const [first, ...others] = config.get('AWS_KMS_KEYS');
  const endpoint = config.get('AWS_KMS_ENDPOINT');
  if (first === undefined) {
    throw new ConfigError('AWS_KMS_KEYS is missing: KEY_VAULT names aws-kms, which needs the ARN of a key.');
  }
  const accessKeyId = needed(config, 'AWS_ACCESS_KEY_ID', 'aws-kms');
  const secretAccessKey = needed(config, 'AWS_SECRET_ACCESS_KEY', 'aws-kms');
  assertArns([first, ...others]);
  if (endpoint !== null) assertOrigin('AWS_KMS_ENDPOINT', endpoint);
  const hosts = endpoint === null ? [first, ...others].map((arn) => kmsHost(regionOf(arn))) : [new URL(endpoint).host];
  const credentials = { accessKeyId, secretAccessKey, sessionToken: config.get('AWS_SESSION_TOKEN') };
  const client = new KmsClient(new VaultLink('AWS KMS', hosts), credentials, new Clock(), endpoint);
  const vault = new AwsKmsVault([first, ...others], client);
  return tried(vault, 'check AWS_KMS_KEYS, the credentials, and that they may GenerateDataKey, Encrypt and Decrypt');
}

async function openTransit(config: Config): Promise<KeyVault> {
  const address = needed(config, 'VAULT_ADDR', 'vault').replace(/\/$/, '');
  assertOrigin('VAULT_ADDR', address);
  const key = { mount: config.get('VAULT_TRANSIT_MOUNT'), name: config.get('VAULT_TRANSIT_KEY') };
  if (!MOUNT.test(key.mount)) throw new ConfigError('VAULT_TRANSIT_MOUNT must be a path such as transit.');
  if (!KEY_NAME.test(key.name)) throw new ConfigError('VAULT_TRANSIT_KEY must be the name of a key such as gatehouse.');
  const at = { address, namespace: config.get('VAULT_NAMESPACE'), login: loginOf(config) };
  const clock = new Clock();
  const client = new TransitClient(new VaultLink('HashiCorp Vault', [new URL(address).host]), at, clock);
  const hint = 'check VAULT_ADDR, VAULT_TRANSIT_KEY, the token or AppRole, and its policy';
  const vault = await TransitVault.open(key, client, clock).catch(async (error: unknown) => {
    await client.close();
    throw refusalOf(error, hint);
  });
  return tried(vault, hint);
}

/** A vault that cannot wrap and unwrap now is no vault to start with. */
async function tried(vault: KeyVault, hint: string): Promise<KeyVault> {
  try {
    await vault.health();
    return vault;
  } catch (error) {
    await vault.close();
    throw refusalOf(error, hint);
  }
}

function refusalOf(error: unknown, hint: string): unknown {
  if (error instanceof KeyRingError) return new ConfigError(error.message);
  return error instanceof KeyVaultUnavailableError ? new ConfigError(`${error.message} Please ${hint}.`) : error;
}

function loginOf(config: Config): TransitLogin {
  const [token, roleId] = [config.get('VAULT_TOKEN'), config.get('VAULT_ROLE_ID')];
  if ((token === null) === (roleId === null)) {
    throw new ConfigError('Vault needs either VAULT_TOKEN or VAULT_ROLE_ID with VAULT_SECRET_ID.');
  }
  if (token !== null) return { token };
  return { roleId: roleId ?? '', secretId: needed(config, 'VAULT_SECRET_ID', 'vault with VAULT_ROLE_ID') };
}

function needed(
  config: Config,
  name: 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY' | 'VAULT_ADDR' | 'VAULT_SECRET_ID',
  by: string,
): string {
  const value = config.get(name);
  if (value === null) throw new ConfigError(`${name} is missing: KEY_VAULT names ${by}, which needs it.`);
  return value;
}

function assertArns(arns: readonly string[]): void {
  for (const [at, arn] of arns.entries()) {
    if (!KMS_KEY_ARN.test(arn) || arns.indexOf(arn) !== at) {
      throw new ConfigError(
        `AWS_KMS_KEYS: entry ${at + 1} must be the ARN of a key, arn:aws:kms:<region>:<account>:key/<id>, and stand once. An alias will not do.`,
      );
    }
  }
}

/** Data keys and credentials go there, so never in the clear across a network. */
function assertOrigin(name: string, text: string): void {
  const url = URL.parse(text);
  const isPlain = url !== null && url.pathname === '/' && !url.search && !url.username && !url.password;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname));
  if (!isPlain || !isSafe)
    throw new ConfigError(`${name} must be https://host, with a port or without, or a loopback address.`);
}
