import { Clock } from '../../common/clock.js';
import { ConfigError, type Config } from '../../config/index.js';
import type { KeyVault } from '../key-vault.js';
import { VaultLink } from '../remote/vault-link.js';
import { assertOrigin, needed, refusalOf, tried } from '../remote/vault-settings.js';
import { TransitClient, type TransitLogin } from './transit-client.js';
import { TransitVault } from './transit-vault.js';

const MOUNT = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}(?:\/[A-Za-z0-9][A-Za-z0-9_.-]{0,59}){0,2}$/;
const KEY_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/;

/** @throws ConfigError for invalid settings, and for a key that cannot wrap and unwrap */
export async function openTransit(config: Config): Promise<KeyVault> {
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

function loginOf(config: Config): TransitLogin {
  const [token, roleId] = [config.get('VAULT_TOKEN'), config.get('VAULT_ROLE_ID')];
  if ((token === null) === (roleId === null)) {
    throw new ConfigError('Vault needs either VAULT_TOKEN or VAULT_ROLE_ID with VAULT_SECRET_ID.');
  }
  if (token !== null) return { token };
  return { roleId: roleId ?? '', secretId: needed(config, 'VAULT_SECRET_ID', 'vault with VAULT_ROLE_ID') };
}
