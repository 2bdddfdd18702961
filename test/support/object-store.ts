import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const KEY_ID = 'store-key';
const SECRET = 'a/secret+of the store';
const REGION = 'eu-central-1';
const BUCKET = 'files';

interface Stored {
  bytes: Buffer;
  at: Date;
}

/** A bucket on loopback that implements enough of the Amazon S3 protocol, and verifies signatures independently. */
export class ObjectStoreServer {
  readonly objects = new Map<string, Stored>();
  /** Statuses to return for the next calls, before any succeeds. */
  faults: number[] = [];
  faultBody = '<Error><Code>SlowDown</Code></Error>';
  /** Calls with an invalid signature. */
  refused = 0;
  pageSize = 1000;
  /** After so many pages the next is one that it has named before; 0 for lists that end. */
  circle = 0;

  private constructor(
    private readonly origin: string,
    readonly close: () => Promise<void>,
  ) {}

  static async start(): Promise<ObjectStoreServer> {
    const server = createServer((request, response) => void store.serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const store = new ObjectStoreServer(`127.0.0.1:${(server.address() as AddressInfo).port}`, async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    return store;
  }

  /** The value for EXPORT_STORE. */
  address({ secret = SECRET, bucket = BUCKET } = {}): string {
    return `http://${KEY_ID}:${encodeURIComponent(secret)}@${this.origin}/${bucket}/gatehouse/test?region=${REGION}`;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const url = new URL(request.url ?? '/', `http://${this.origin}`);
    const fault = this.faults.shift();
    if (fault !== undefined) return void response.writeHead(fault).end(this.faultBody);
    if (!isSigned(request, url, body)) {
      this.refused++;
      return void response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
    }
    const [, bucket, ...rest] = url.pathname.split('/');
    if (bucket !== BUCKET) return void response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>');
    const key = rest.join('/');
    if (key === '') return void response.writeHead(200).end(this.list(url.searchParams));
    const stored = this.objects.get(key);
    if (request.method === 'PUT') this.objects.set(key, { bytes: body, at: new Date() });
    if (request.method === 'DELETE') this.objects.delete(key);
    if (request.method === 'PUT') return void response.writeHead(200, { etag: `"${hash(body)}"` }).end();
    if (request.method === 'DELETE') return void response.writeHead(204).end();
    if (stored) response.writeHead(200).end(stored.bytes);
    else response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
  }

  /** ListObjectsV2. */
  private list(query: URLSearchParams): string {
    const from = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString();
    const keys = [...this.objects.keys()].filter(
      (key) => key.startsWith(query.get('prefix') ?? '') && (this.circle > 0 || key > from),
    );
    const page = keys.sort().slice(0, this.pageSize);
    const around = (Number(from) + 1) % this.circle;
    const last = this.circle > 0 ? String(around) : page.length < keys.length && page.at(-1)!;
    const more = last && Buffer.from(last).toString('base64');
    const contents = page.map((key) => {
      const { at, bytes } = this.objects.get(key)!;
      return `<Contents><Key>${key}</Key><LastModified>${at.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`;
    });
    const next = more && `<NextContinuationToken>${more}</NextContinuationToken>`;
    return `<?xml version="1.0"?><ListBucketResult>${contents.join('')}${next || ''}</ListBucketResult>`;
  }
}

const hash = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** Computed from the received request, without the code under test. */
function isSigned(request: IncomingMessage, url: URL, body: Buffer): boolean {
  const { headers } = request;
  const shape =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request,\s*SignedHeaders=([\w;-]+),\s*Signature=([\da-f]{64})$/;
  const [, keyId, day, region, names = '', given = ''] = shape.exec(headers.authorization ?? '') ?? [];
  const time = String(headers['x-amz-date']);
  const isNamed = keyId === KEY_ID && region === REGION && time.startsWith(`${day}T`);
  const signed = names.split(';');
  if (!isNamed || !['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => signed.includes(name))) return false;
  if (headers['x-amz-content-sha256'] !== hash(body)) return false;
  const query = url.search.slice(1).split('&').filter(Boolean).sort().join('&');
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
  const canonical = `${request.method}\n${url.pathname}\n${query}\n${lines}\n${names}\n${hash(body)}`;
  let key: Buffer = Buffer.from(`AWS4${SECRET}`);
  for (const part of [day!, REGION, 's3', 'aws4_request']) key = createHmac('sha256', key).update(part).digest();
  const text = `AWS4-HMAC-SHA256\n${time}\n${day}/${REGION}/s3/aws4_request\n${hash(canonical)}`;
  return timingSafeEqual(createHmac('sha256', key).update(text).digest(), Buffer.from(given, 'hex'));
}
