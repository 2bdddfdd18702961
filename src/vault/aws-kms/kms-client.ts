import type { Clock } from '../../common/clock.js';
import { signV4, type AwsCredentials } from '../../outbound/index.js';
import type { VaultAnswer, VaultLink } from '../remote/vault-link.js';
import { SealedBlobError } from '../vault.errors.js';

export type KmsOperation = 'Decrypt' | 'Encrypt' | 'GenerateDataKey' | 'ReEncrypt';

/** The ciphertext was altered, belongs to another key, or the encryption context differs: KMS does not say which. */
const REFUSED = new Set(['InvalidCiphertextException', 'IncorrectKeyException']);
const BUSY = new Set([
  'DependencyTimeoutException',
  'KeyUnavailableException',
  'KMSInternalException',
  'LimitExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

/** The JSON protocol of AWS KMS, version 2014-11-01: one POST for each operation. */
export class KmsClient {
  /** @param endpoint in place of that of the region, such as a VPC endpoint */
  constructor(
    private readonly link: VaultLink,
    private readonly credentials: AwsCredentials,
    private readonly clock: Clock,
    private readonly endpoint: string | null,
  ) {}

  /**
   * @returns the fields of the answer, of which byte values are base64
   * @throws SealedBlobError, KeyVaultUnavailableError
   */
  async call(region: string, operation: KmsOperation, input: object): Promise<Readonly<Record<string, unknown>>> {
    const url = new URL(this.endpoint ?? `https://${kmsHost(region)}/`);
    const body = JSON.stringify(input);
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `TrentService.${operation}` };
    const answer = await this.link.ask(() => {
      const { host, pathname: path } = url;
      const request = { method: 'POST', host, path, headers, body, region, service: 'kms', at: this.clock.now() };
      return { method: 'POST', url: url.href, headers: signV4(request, this.credentials), body };
    }, isBusy);
    const error = errorOf(answer);
    if (answer.status !== 200 && !REFUSED.has(error)) this.link.fail(`refused ${operation}: ${error}`);
    this.link.answered();
    if (answer.status !== 200) throw new SealedBlobError('not-authentic');
    return answer.body;
  }

  /** For an answer that lacks what it has to hold. */
  fail(operation: KmsOperation): never {
    return this.link.fail(`gave ${operation} an answer that cannot be read`);
  }

  close(): Promise<void> {
    return this.link.close();
  }
}

const suffixOf = (region: string): string => (region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com');

/** Host of KMS in a region. */
export const kmsHost = (region: string): string => `kms.${region}.${suffixOf(region)}`;

const isBusy = (answer: VaultAnswer): boolean => answer.status >= 500 || BUSY.has(errorOf(answer));

/** The name of an error, which may come with a namespace before `#`; letters alone, since it is logged. */
function errorOf({ status, body }: VaultAnswer): string {
  const type = body['__type'];
  const name = typeof type === 'string' ? (type.split('#').pop() ?? '') : '';
  return /^[A-Za-z]{1,60}$/.test(name) ? name : `status ${status}`;
}
