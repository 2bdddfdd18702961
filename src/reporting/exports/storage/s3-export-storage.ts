import type { OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '../../../common/clock.js';
import type { ObjectStore } from '../../../config/index.js';
import {
  awsQuery,
  EgressPolicy,
  GuardedDispatcher,
  OutboundHttp,
  signV4,
  type AwsRequest,
  type OutboundResult,
} from '../../../outbound/index.js';
import { ExportStorage, folderOf, parseFolder, type ExportFolder } from './export-storage.js';

const TIMEOUT_MS = 20_000;
const MOST_TRIES = 3;
/** Names of export parts and probes; any other objects in the bucket are not ours. */
const OURS = /^(?:probes|[0-9a-f-]{36})\/[0-9a-f-]{36}\/\d+(?:-[0-9a-f]{16})?$/;
/** More than a part of a file, or a page of a list, can have. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Concurrent deletions. */
const AT_ONCE = 8;

type Call = Pick<AwsRequest, 'method' | 'query' | 'body'> & { method: 'GET' | 'PUT' | 'DELETE' };

interface Listed {
  name: string;
  changedAt: Date;
}

/**
 * An Amazon S3 bucket, or one of a compatible store, with path-style addressing, which all of them support. The
 * operator chooses the host, so it may be at a private address; this client connects to no other host.
 */
export class S3ExportStorage extends ExportStorage implements OnApplicationShutdown {
  private readonly http: OutboundHttp;
  private readonly host: string;

  constructor(
    private readonly store: ObjectStore,
    private readonly clock: Clock,
  ) {
    super();
    const { host, hostname, port, protocol } = new URL(store.origin);
    this.host = host;
    const allowed = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
    const policy = new EgressPolicy(allowed, { allowHttp: false, allowIpLiterals: false });
    this.http = new OutboundHttp(policy, new GuardedDispatcher(policy));
  }

  override async put(name: string, body: Buffer): Promise<void> {
    const { headers, body: page } = await this.send(this.pathOf(name), { method: 'PUT', body });
    // A page of a proxy may have status 200; a store names what it has taken.
    if (!headers['etag'] || page.length > 0) throw noReceipt();
  }

  override async get(name: string): Promise<Buffer | null> {
    const { status, body } = await this.send(this.pathOf(name), { method: 'GET' });
    return status === 404 ? null : body;
  }

  override async removePart(name: string): Promise<void> {
    await this.delete(this.pathOf(name));
  }

  override async remove(folder: string): Promise<void> {
    for await (const page of this.pages(`${folder}/`)) await this.removeAll(page);
  }

  override async *folders(): AsyncGenerator<ExportFolder[]> {
    for await (const page of this.pages('')) {
      const names = page.flatMap(({ name }) => (this.isOurs(name) ? [name.slice(this.store.prefix.length)] : []));
      const found = names
        .map((name) => parseFolder(name.slice(0, name.lastIndexOf('/'))))
        .filter((one) => one !== null);
      yield [...new Map(found.map((folder) => [folderOf(folder), folder])).values()];
    }
  }

  override async removeOlderThan(time: Date, isStopping: () => boolean): Promise<void> {
    for await (const page of this.pages('')) {
      const old = page.filter(({ name, changedAt }) => changedAt < time && this.isOurs(name));
      if (!(await this.removeAll(old, isStopping))) return;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }

  private isOurs(name: string): boolean {
    const { prefix } = this.store;
    return name.startsWith(prefix) && OURS.test(name.slice(prefix.length));
  }

  /** @returns whether it got to the end, since a stop is looked for between the steps */
  private async removeAll(listed: readonly Listed[], isStopping = (): boolean => false): Promise<boolean> {
    for (let at = 0; at < listed.length; at += AT_ONCE) {
      if (isStopping()) return false;
      const some = listed.slice(at, at + AT_ONCE);
      await Promise.all(some.map(({ name }) => this.delete(`/${this.store.bucket}/${name}`)));
    }
    return !isStopping();
  }

  private async delete(path: string): Promise<void> {
    const { status, body } = await this.send(path, { method: 'DELETE' });
    if (status !== 404 && body.length > 0) throw noReceipt();
  }

  /** Pages of a thousand, as returned by the store. */
  private async *pages(prefix: string): AsyncGenerator<Listed[]> {
    const asked = new Set<string>();
    let token: string | null = null;
    do {
      const query: Record<string, string> = {
        'list-type': '2',
        prefix: this.store.prefix + prefix,
        ...(token !== null && { 'continuation-token': token }),
      };
      const xml: string = (await this.send(`/${this.store.bucket}`, { method: 'GET', query })).body.toString();
      const next = element(xml, 'NextContinuationToken');
      // Otherwise a page of a proxy would be an empty bucket, and files that have to go would stay.
      const isList = xml.includes('<ListBucketResult') && (next === null || !asked.has(next));
      if (!isList) throw new Error('The store of exports answers no list.');
      yield [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, text]) => ({
        name: element(text!, 'Key') ?? '',
        changedAt: new Date(element(text!, 'LastModified') ?? NaN),
      }));
      token = next;
      if (next !== null) asked.add(next);
    } while (token !== null);
  }

  private pathOf(name: string): string {
    return `/${this.store.bucket}/${this.store.prefix}${name}`;
  }

  /** Calls are idempotent, so one without a response is retried. @throws with the status only, no response text */
  private async send(path: string, call: Call): Promise<OutboundResult> {
    for (let tries = 1; ; tries++) {
      const answer = await this.call(path, call).catch((error: Error) => error);
      const isTransient = answer instanceof Error || answer.status >= 500 || answer.status === 429;
      if (isTransient && tries < MOST_TRIES) continue;
      if (answer instanceof Error) throw answer;
      const mayBeAbsent = call.method !== 'PUT' && !call.query;
      const isExpected = (answer.status >= 200 && answer.status < 300) || (answer.status === 404 && mayBeAbsent);
      if (!isExpected || answer.truncated) throw new Error(`The store of exports answers ${answer.status}.`);
      return answer;
    }
  }

  private call(path: string, { method, query, body }: Call): Promise<OutboundResult> {
    const { keyId: accessKeyId, secret: secretAccessKey, region } = this.store;
    const at = this.clock.now();
    const request = { method, host: this.host, path, query, body, region, service: 's3', at };
    const asked = awsQuery(query);
    return this.http.send({
      ...{ method, body, timeoutMs: TIMEOUT_MS, maxResponseBytes: MOST_BYTES },
      url: `${this.store.origin}${path}${asked && `?${asked}`}`,
      headers: signV4(request, { accessKeyId, secretAccessKey, sessionToken: null }),
    });
  }
}

const noReceipt = (): Error => new Error('The store of exports answers no receipt.');

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of the first element with a name; null when there is none or it is empty. */
function element(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml)?.[1];
  return text?.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => ENTITIES[entity]!) ?? null;
}
