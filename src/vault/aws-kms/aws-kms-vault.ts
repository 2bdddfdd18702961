import { DATA_KEY_BYTES, KeyVault, type NewDataKey, type WrappedKey } from '../key-vault.js';
import { bytesIn } from '../remote/vault-link.js';
import type { SealContext } from '../seal-context.js';
import { SecretBytes } from '../secret-bytes.js';
import { SealedBlobError } from '../vault.errors.js';
import type { KmsClient, KmsOperation } from './kms-client.js';

/** The ARN of a key, not of an alias: rows record their key, and an alias may be moved to another one. */
export const KMS_KEY_ARN = /^arn:aws[a-z-]*:kms:([a-z]{2}[a-z-]*-\d):\d{12}:key\/[A-Za-z0-9-]{1,64}$/;

/**
 * Keys of AWS KMS, the current one first. The context is the encryption context of KMS, which authenticates it and writes
 * it to CloudTrail in the clear: it holds ids and no secret. When KMS replaces the material of a key by itself, nothing
 * needs to be rewrapped: a ciphertext names its material.
 */
export class AwsKmsVault extends KeyVault {
  readonly currentKeyId: string;

  /** @param keys ARNs that match `KMS_KEY_ARN`, at least one */
  constructor(
    private readonly keys: readonly [string, ...string[]],
    private readonly kms: KmsClient,
  ) {
    super();
    this.currentKeyId = keys[0];
  }

  override async newDataKey(context: SealContext): Promise<NewDataKey> {
    const answer = await this.ask(this.currentKeyId, 'GenerateDataKey', {
      KeyId: this.currentKeyId,
      KeySpec: 'AES_256',
      EncryptionContext: encryptionContext(context),
    });
    return { wrapped: this.wrappedOf(answer, 'GenerateDataKey'), dataKey: this.dataKeyOf(answer, 'GenerateDataKey') };
  }

  async wrap(dataKey: SecretBytes, context: SealContext): Promise<WrappedKey> {
    const answer = await this.ask(this.currentKeyId, 'Encrypt', {
      KeyId: this.currentKeyId,
      Plaintext: dataKey.expose().toString('base64'),
      EncryptionContext: encryptionContext(context),
    });
    return this.wrappedOf(answer, 'Encrypt');
  }

  async unwrap({ keyId, bytes }: WrappedKey, context: SealContext): Promise<SecretBytes> {
    this.assertKnown(keyId);
    const answer = await this.ask(keyId, 'Decrypt', {
      KeyId: keyId,
      CiphertextBlob: bytes.toString('base64'),
      EncryptionContext: encryptionContext(context),
    });
    if (answer['KeyId'] !== keyId) this.kms.fail('Decrypt');
    return this.dataKeyOf(answer, 'Decrypt');
  }

  /** KMS moves a data key between keys of one region by itself; between regions it comes through this process. */
  async rewrap(wrapped: WrappedKey, context: SealContext): Promise<WrappedKey> {
    this.assertKnown(wrapped.keyId);
    if (regionOf(wrapped.keyId) !== regionOf(this.currentKeyId)) {
      const dataKey = await this.unwrap(wrapped, context);
      return this.wrap(dataKey, context).finally(() => dataKey.wipe());
    }
    const answer = await this.ask(this.currentKeyId, 'ReEncrypt', {
      SourceKeyId: wrapped.keyId,
      SourceEncryptionContext: encryptionContext(context),
      DestinationKeyId: this.currentKeyId,
      DestinationEncryptionContext: encryptionContext(context),
      CiphertextBlob: wrapped.bytes.toString('base64'),
    });
    return this.wrappedOf(answer, 'ReEncrypt');
  }

  async retireOlderKeys(): Promise<string> {
    return 'Older keys may leave AWS_KMS_KEYS; disable them in KMS before you let them be deleted.';
  }

  override close(): Promise<void> {
    return this.kms.close();
  }

  private ask(keyId: string, operation: KmsOperation, input: object): Promise<Readonly<Record<string, unknown>>> {
    return this.kms.call(regionOf(keyId), operation, input);
  }

  private assertKnown(keyId: string): void {
    if (!this.keys.includes(keyId)) throw new SealedBlobError('unknown-key');
  }

  private wrappedOf(answer: Readonly<Record<string, unknown>>, operation: KmsOperation): WrappedKey {
    const bytes = bytesIn(answer['CiphertextBlob']);
    if (answer['KeyId'] !== this.currentKeyId || bytes === null) return this.kms.fail(operation);
    return { keyId: this.currentKeyId, bytes };
  }

  private dataKeyOf(answer: Readonly<Record<string, unknown>>, operation: KmsOperation): SecretBytes {
    const bytes = bytesIn(answer['Plaintext']);
    if (bytes?.length !== DATA_KEY_BYTES) return this.kms.fail(operation);
    return SecretBytes.from(bytes);
  }
}

export const regionOf = (keyArn: string): string => KMS_KEY_ARN.exec(keyArn)?.[1] ?? '';

/** Names and values as they stand in key policies (`kms:EncryptionContext:purpose`) and in CloudTrail. */
function encryptionContext({ purpose, environmentId, userId, subjectId, kind }: SealContext): Record<string, string> {
  return { purpose, environmentId, ...(userId !== undefined && { userId }), subjectId, kind };
}
