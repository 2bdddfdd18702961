import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

export interface Signer {
  kid: string;
  alg: string;
  privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
  publicJwk: JWK;
}

/** An issuer's key pair. */
export async function signer(alg: string, options: object = {}): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true, ...options });
  const kid = randomUUID();
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** An external service that publishes its keys. */
export class Issuer {
  keys: JWK[] = [];
  requests = 0;
  answer: (() => { status: number; headers?: Record<string, string>; body: string }) | null = null;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<Issuer> {
    const server = createServer((_, response) => {
      issuer.requests++;
      const { status, headers, body } = issuer.answer?.() ?? {
        status: 200,
        body: JSON.stringify({ keys: issuer.keys }),
      };
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = new Issuer(server, `http://127.0.0.1:${(server.address() as { port: number }).port}`);
    return issuer;
  }

  /** Lets the process exit without stopping it. */
  unref(): void {
    this.server.unref();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
