import type { Config } from './config.js';
import type { SettingName } from './settings.js';

/** The settings passed to a signer: only those needed to open keys, so no database and no mail server. */
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

/** Read by Node itself: which certificates it trusts. Not NODE_OPTIONS, which could load arbitrary code. */
const OF_NODE = ['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA', 'SSL_CERT_FILE', 'SSL_CERT_DIR'] as const;

export interface SignerSettings {
  /** Environment variables, which other users of the machine may be able to read: no secrets. */
  readonly process: Record<string, string>;
  readonly given: Record<string, string>;
}

/** The settings of a signer started by this process. @param ring the text of the local key ring, or empty */
export const signerSettings = (config: Config, ring: string): SignerSettings => ({
  process: config.textsOf(OF_NODE),
  given: { ...config.textsOf(NEEDED), ROLE: 'signer', ...(ring && { MASTER_KEY: ring }) },
});
