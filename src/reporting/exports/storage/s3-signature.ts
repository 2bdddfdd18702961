import { createHash, createHmac } from 'node:crypto';

export interface S3Credentials {
  keyId: string;
  secret: string;
  region: string;
}

export interface S3Request {
  method: string;
  host: string;
  /** Encoded as it is sent. */
  path: string;
  query?: Readonly<Record<string, string>>;
  /** Others than those of the signature; all of them are signed. */
  headers?: Readonly<Record<string, string>>;
  body?: Buffer | string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** RFC 3986 section 2.3: `encodeURIComponent` leaves five more characters as they are than the protocol does. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** The query in the order and encoding in which it is signed and sent. */
export const s3Query = (query: Readonly<Record<string, string>> = {}): string =>
  Object.keys(query)
    .sort()
    .map((name) => `${encoded(name)}=${encoded(query[name]!)}`)
    .join('&');

/** The headers of a request of Amazon S3 with its signature, version 4 of the protocol ("AWS Signature Version 4"). */
export function s3Headers(
  request: S3Request,
  { keyId, secret, region }: S3Credentials,
  at: Date,
): Record<string, string> {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const digest = sha256(request.body ?? '');
  const headers = { ...request.headers, 'x-amz-content-sha256': digest, 'x-amz-date': time };
  const signed = Object.entries({ ...headers, host: request.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    ...[request.method, request.path, s3Query(request.query)],
    ...[...signed.map(([name, value]) => `${name}:${value}`), ''],
    ...[names, digest],
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [region, 's3', 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${secret}`, day));
  const signature = hmac(key, [ALGORITHM, time, scope, sha256(canonical)].join('\n')).toString('hex');
  const authorization = `${ALGORITHM} Credential=${keyId}/${scope},SignedHeaders=${names},Signature=${signature}`;
  return { ...headers, authorization };
}
