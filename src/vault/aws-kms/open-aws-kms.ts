import { Clock } from '../../common/clock.js';
import { ConfigError, type Config } from '../../config/index.js';
import type { KeyVault } from '../key-vault.js';
import { VaultLink } from '../remote/vault-link.js';
import { assertOrigin, needed, tried } from '../remote/vault-settings.js';
import { AwsKmsVault, KMS_KEY_ARN, regionOf } from './aws-kms-vault.js';
import { KmsClient, kmsHost } from './kms-client.js';

/** @throws ConfigError for invalid settings, and for keys that cannot wrap and unwrap */
export async function openAwsKms(config: Config): Promise<KeyVault> {
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

function assertArns(arns: readonly string[]): void {
  for (const [at, arn] of arns.entries()) {
    if (!KMS_KEY_ARN.test(arn) || arns.indexOf(arn) !== at) {
      throw new ConfigError(
        `AWS_KMS_KEYS: entry ${at + 1} must be the ARN of a key, arn:aws:kms:<region>:<account>:key/<id>, and stand once. An alias will not do.`,
      );
    }
  }
}
