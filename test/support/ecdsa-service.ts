import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { secp256k1 } from '@noble/curves/secp256k1.js';

const PATH = /^\/keys\/([0-9a-f-]{36})(?:\/accounts\/(\d+)(\/signatures)?)?$/;
const DIGEST = /^[0-9a-f]{64}$/;

/** Imitates a threshold ECDSA service as used by `examples/threshold-ecdsa`; it holds each key whole. */
export class EcdsaServiceStandIn {
  readonly token = randomBytes(16).toString('hex');
  readonly digests: string[] = [];
  /** Returns signatures of another digest. */
  isLying = false;
  /** Does not respond. */
  isAway = false;
  /** Limits the rate of calls. */
  isBusy = false;
  /** A proxy responds in its place. */
  isHidden = false;
  private readonly keys = new Map<string, Buffer>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<EcdsaServiceStandIn> {
    const server = createServer();
    const service = new EcdsaServiceStandIn(server);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const isKnown = request.headers.authorization === `Bearer ${service.token}`;
        const text = Buffer.concat(parts).toString('utf8');
        const answer = isKnown ? service.answer(request.method ?? '', request.url ?? '', text) : null;
        if (service.isHidden) return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
        response.writeHead(service.isAway ? 503 : service.isBusy ? 429 : isKnown ? (answer ? 200 : 404) : 401, {
          'content-type': 'application/json',
        });
        response.end(JSON.stringify(answer ?? {}));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  has(name: string): boolean {
    return this.keys.has(name);
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private answer(method: string, url: string, body: string): object | null {
    const [, name, account, signatures] = PATH.exec(url) ?? [];
    if (name === undefined) return null;
    if (method === 'PUT') {
      if (!this.keys.has(name)) this.keys.set(name, randomBytes(32));
      return {};
    }
    if (method === 'DELETE') {
      this.keys.delete(name);
      return {};
    }
    const secret = this.keys.get(name);
    if (!secret || account === undefined) return null;
    const key = Uint8Array.from(createHmac('sha256', secret).update(account).digest());
    if (!signatures) return { publicKey: Buffer.from(secp256k1.getPublicKey(key)).toString('hex') };
    const { digest } = JSON.parse(body) as { digest?: string };
    if (!DIGEST.test(digest ?? '')) return null;
    this.digests.push(digest!);
    const signed = Uint8Array.from(Buffer.from(this.isLying ? '11'.repeat(32) : digest!, 'hex'));
    const made = secp256k1.sign(signed, key, { prehash: false, format: 'recovered' });
    return { signature: Buffer.from(made.subarray(1)).toString('hex'), recoveryId: made[0] };
  }
}
