import { createHash, createHmac } from 'node:crypto';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken: string | null;
}

export interface RequestToSign {
  readonly method: 'GET' | 'POST';
  /** Without a query, and with a path that needs no encoding. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly region: string;
  readonly service: string;
  readonly at: Date;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

/**
 * The headers of a request with its signature: AWS Signature Version 4. Every header that is given is signed, and the
 * host, the time and the session token with them.
 */
export function signV4(request: RequestToSign, credentials: AwsCredentials): Record<string, string> {
  const { method, url, region, service, body } = request;
  const time = request.at.toISOString().replace(/[:-]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
  const headers = {
    ...request.headers,
    'x-amz-date': time,
    ...(credentials.sessionToken !== null && { 'x-amz-security-token': credentials.sessionToken }),
  };
  const named = Object.entries({ ...headers, host: url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const signed = named.map(([name]) => name).join(';');
  const fields = named.map(([name, value]) => `${name}:${value}\n`).join('');
  const canonical = [method, url.pathname, '', fields, signed, sha256(body)].join('\n');
  const key = [time.slice(0, 8), region, service, 'aws4_request'].reduce<Buffer>(
    hmac,
    Buffer.from(`AWS4${credentials.secretAccessKey}`),
  );
  const signature = hmac(key, [ALGORITHM, time, scope, sha256(canonical)].join('\n')).toString('hex');
  const authorization = `${ALGORITHM} Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
  return { ...headers, authorization };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
