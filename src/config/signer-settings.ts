import type { Config } from './config.js';
import type { SettingName } from './settings.js';

/** What a signer is told. Neither databases nor mail servers nor anything else that opens no key. */
const NEEDED = [
  'NODE_ENV',
  'KEY_VAULT',
  'AWS_KMS_KEYS',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_KMS_ENDPOINT',
  'VAULT_ADDR',
  'VAULT_NAMESPACE',
  'VAULT_TRANSIT_MOUNT',
  'VAULT_TRANSIT_KEY',
  'VAULT_TOKEN',
  'VAULT_ROLE_ID',
  'VAULT_SECRET_ID',
] as const satisfies readonly SettingName[];

/** Read by Node itself when it starts: whose certificates it believes. Not NODE_OPTIONS, which may load and open anything. */
const OF_NODE = ['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA', 'SSL_CERT_FILE', 'SSL_CERT_DIR'] as const;

export interface SignerSettings {
  /** Its environment, which others on the machine may be able to read: no secret. */
  readonly process: Record<string, string>;
  readonly given: Record<string, string>;
}

/** The settings of a signer that this process starts, with the text of the local key ring where there is one. */
export const signerSettings = (config: Config, ring: string): SignerSettings => ({
  process: config.textsOf(OF_NODE),
  given: { ...config.textsOf(NEEDED), ROLE: 'signer', ...(ring && { MASTER_KEY: ring }) },
});
