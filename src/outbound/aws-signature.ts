import { createHash, createHmac } from 'node:crypto';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken: string | null;
}

export interface AwsRequest {
  readonly method: string;
  /** With a port, if the address has one. */
  readonly host: string;
  /** Encoded as it is sent. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Additional headers; all of them are signed. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  readonly region: string;
  readonly service: string;
  readonly at: Date;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

/**
 * The headers of a request signed with AWS Signature Version 4. Signs every given header, the host, the time and the
 * session token. Amazon S3 also requires the digest of the body as a header.
 */
export function signV4(request: AwsRequest, credentials: AwsCredentials): Record<string, string> {
  const { method, host, path, region, service } = request;
  const time = request.at.toISOString().replace(/[:-]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
  const digest = sha256(request.body ?? '');
  const headers = {
    ...request.headers,
    'x-amz-date': time,
    ...(service === 's3' && { 'x-amz-content-sha256': digest }),
    ...(credentials.sessionToken !== null && { 'x-amz-security-token': credentials.sessionToken }),
  };
  const named = Object.entries({ ...headers, host })
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const signed = named.map(([name]) => name).join(';');
  const fields = named.map(([name, value]) => `${name}:${value}\n`).join('');
  const canonical = [method, path, awsQuery(request.query), fields, signed, digest].join('\n');
  const key = scope.split('/').reduce<Buffer>(hmac, Buffer.from(`AWS4${credentials.secretAccessKey}`));
  const signature = hmac(key, [ALGORITHM, time, scope, sha256(canonical)].join('\n')).toString('hex');
  const authorization = `${ALGORITHM} Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
  return { ...headers, authorization };
}

/** The query in the order and encoding in which it is signed and sent. */
export const awsQuery = (query: Readonly<Record<string, string>> = {}): string =>
  Object.keys(query)
    .toSorted()
    .map((name) => `${encoded(name)}=${encoded(query[name]!)}`)
    .join('&');

/** RFC 3986 section 2.3: unlike `encodeURIComponent`, the protocol also escapes five more characters. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
