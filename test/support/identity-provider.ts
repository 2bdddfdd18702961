import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

type Document = Record<string, unknown>;
type Answer = (request: IncomingMessage, response: ServerResponse, document: Document) => void;

const sendJson: Answer = (_request, response, document) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
};

/** An OpenID Connect provider on loopback, limited to discovery; its responses are set by the test. */
export class IdentityProvider {
  readonly paths: string[] = [];
  answer: Answer = sendJson;

  private constructor(
    private readonly server: Server,
    /** Without a slash at the end. */
    readonly origin: string,
  ) {}

  static async start(): Promise<IdentityProvider> {
    const server = createServer((request, response) => {
      provider.paths.push(request.url ?? '');
      const path = (request.url ?? '').replace('/.well-known/openid-configuration', '');
      provider.answer(request, response, provider.documentOf(`${provider.origin}${path}`));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const provider = new IdentityProvider(server, `http://127.0.0.1:${port}`);
    return provider;
  }

  get issuer(): string {
    return this.origin;
  }

  /** The required metadata (OpenID Connect Discovery 1.0 §3). */
  documentOf(issuer: string): Document {
    return {
      issuer,
      authorization_endpoint: `${issuer}/v1/authorize`,
      token_endpoint: `${issuer}/v1/token`,
      jwks_uri: `${issuer}/v1/keys`,
      response_types_supported: ['code', 'id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  /** Responds with the valid document with some members changed; undefined removes one. */
  answerWith(changes: Document): void {
    this.answer = (request, response, document) => sendJson(request, response, { ...document, ...changes });
  }

  answerRightly(): void {
    this.answer = sendJson;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Does not keep the process from ending. */
  unref(): this {
    this.server.unref();
    return this;
  }
}

let shared: Promise<IdentityProvider> | undefined;

/** A shared instance for tests that just need any provider. */
export const sharedIdentityProvider = (): Promise<IdentityProvider> =>
  (shared ??= IdentityProvider.start().then((provider) => provider.unref()));
