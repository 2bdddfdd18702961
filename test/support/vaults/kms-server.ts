import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { JsonServer, type Answered, type Asked } from './json-server.js';

interface Input {
  KeyId: string;
  SourceKeyId: string;
  DestinationKeyId: string;
  Plaintext: string;
  CiphertextBlob: string;
  EncryptionContext: Record<string, string>;
  SourceEncryptionContext: Record<string, string>;
  DestinationEncryptionContext: Record<string, string>;
}

const CLOCK_TOLERANCE_MS = 5 * 60_000;

class KmsError extends Error {}

/** The AWS KMS protocol according to its reference, with checks of signature, time, key and context. */
export class KmsServer extends JsonServer {
  readonly credentials = {
    accessKeyId: 'AKIATESTTESTTESTTEST',
    secretAccessKey: randomBytes(30).toString('base64'),
    sessionToken: 'session-token-of-the-test',
  };
  readonly plaintexts: string[] = [];
  private readonly keys = new Map<string, Buffer>();
  private readonly disabled = new Set<string>();

  addKey(region = 'eu-central-1'): string {
    const arn = `arn:aws:kms:${region}:111122223333:key/${randomUUID()}`;
    this.keys.set(arn, randomBytes(32));
    return arn;
  }

  disable(arn: string): void {
    this.disabled.add(arn);
  }

  /** Settings for a service that uses these keys. */
  settings(...keys: string[]): Record<string, string> {
    return {
      KEY_VAULT: 'aws-kms',
      AWS_KMS_KEYS: keys.join(','),
      AWS_KMS_ENDPOINT: this.origin,
      AWS_ACCESS_KEY_ID: this.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: this.credentials.secretAccessKey,
      AWS_SESSION_TOKEN: this.credentials.sessionToken,
    };
  }

  /** The number of calls of an operation. */
  count(operation: string): number {
    return this.asked.filter(({ headers }) => headers['x-amz-target'] === `TrentService.${operation}`).length;
  }

  protected override answer(call: Asked): Answered {
    try {
      const region = this.assertSigned(call);
      const operation = String(call.headers['x-amz-target']).replace('TrentService.', '');
      const json = this.perform(operation, JSON.parse(call.body) as Input, region);
      return { status: 200, json };
    } catch (error) {
      if (!(error instanceof KmsError)) throw error;
      return { status: 400, json: { __type: error.message } };
    }
  }

  private perform(operation: string, input: Input, region: string): object {
    switch (operation) {
      case 'GenerateDataKey':
        return {
          ...this.encrypt(input.KeyId, randomBytes(32), input.EncryptionContext, region),
          ...this.lastPlaintext(),
        };
      case 'Encrypt':
        return this.encrypt(input.KeyId, Buffer.from(input.Plaintext, 'base64'), input.EncryptionContext, region);
      case 'Decrypt':
        this.decrypt(input.KeyId, input.CiphertextBlob, input.EncryptionContext, region);
        return { KeyId: input.KeyId, ...this.lastPlaintext() };
      case 'ReEncrypt': {
        const opened = this.decrypt(input.SourceKeyId, input.CiphertextBlob, input.SourceEncryptionContext, region);
        const sealed = this.encrypt(input.DestinationKeyId, opened, input.DestinationEncryptionContext, region);
        return { ...sealed, SourceKeyId: input.SourceKeyId };
      }
      default:
        throw new KmsError('UnknownOperationException');
    }
  }

  private lastPlaintext(): object {
    return { Plaintext: this.plaintexts.at(-1) };
  }

  private encrypt(arn: string, plaintext: Buffer, context: Record<string, string>, region: string): object {
    this.plaintexts.push(plaintext.toString('base64'));
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.keyOf(arn, region), nonce).setAAD(aadOf(arn, context));
    const text = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    const blob = Buffer.concat([nonce, cipher.getAuthTag(), text]);
    return { KeyId: arn, CiphertextBlob: blob.toString('base64') };
  }

  private decrypt(arn: string, blob: string, context: Record<string, string>, region: string): Buffer {
    const bytes = Buffer.from(blob, 'base64');
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.keyOf(arn, region), bytes.subarray(0, 12));
      decipher.setAAD(aadOf(arn, context)).setAuthTag(bytes.subarray(12, 28));
      const opened = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
      this.plaintexts.push(opened.toString('base64'));
      return opened;
    } catch (error) {
      throw error instanceof KmsError ? error : new KmsError('InvalidCiphertextException');
    }
  }

  private keyOf(arn: string, region: string): Buffer {
    const key = this.keys.get(arn);
    if (!key || arn.split(':')[3] !== region) throw new KmsError('NotFoundException');
    if (this.disabled.has(arn)) throw new KmsError('com.amazonaws.kms#DisabledException');
    return key;
  }

  /** Verifies a Signature Version 4. @returns the region it was made for */
  private assertSigned({ method, path, headers, body }: Asked): string {
    const parsed =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([a-z\d-]+)\/kms\/aws4_request, SignedHeaders=([a-z\d;-]+), Signature=([0-9a-f]{64})$/.exec(
        headers.authorization ?? '',
      );
    if (!parsed) throw new KmsError('IncompleteSignatureException');
    const [, keyId, day = '', region = '', signed = '', signature] = parsed;
    const time = String(headers['x-amz-date']);
    const isLate = Math.abs(Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5')) - Date.now());
    const names = signed.split(';');
    const mustBeSigned = ['host', 'x-amz-date', 'x-amz-target', 'content-type', 'x-amz-security-token'];
    if (!mustBeSigned.every((name) => names.includes(name))) throw new KmsError('InvalidSignatureException');
    if (!time.startsWith(day) || !(isLate < CLOCK_TOLERANCE_MS)) throw new KmsError('RequestExpired');
    if (headers['x-amz-security-token'] !== this.credentials.sessionToken || keyId !== this.credentials.accessKeyId) {
      throw new KmsError('UnrecognizedClientException');
    }
    let request = `${method}\n${path}\n\n`;
    for (const name of names) request += `${name}:${String(headers[name])}\n`;
    request += `\n${signed}\n${createHash('sha256').update(body).digest('hex')}`;
    const text = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/kms/aws4_request\n${createHash('sha256').update(request).digest('hex')}`;
    let key = createHmac('sha256', `AWS4${this.credentials.secretAccessKey}`).update(day).digest();
    for (const part of [region, 'kms', 'aws4_request']) key = createHmac('sha256', key).update(part).digest();
    if (createHmac('sha256', key).update(text).digest('hex') !== signature) {
      throw new KmsError('InvalidSignatureException');
    }
    return region;
  }
}

const aadOf = (arn: string, context: Record<string, string>): Buffer =>
  Buffer.from(JSON.stringify([arn, Object.entries(context).toSorted(([a], [b]) => (a < b ? -1 : 1))]));
