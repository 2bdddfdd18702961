import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

type SecretMethod = 'client_secret_post' | 'client_secret_basic';

export interface PeerAccount {
  sub: string;
  email?: string;
  /** A string at providers that encode every claim as one. */
  email_verified?: boolean | string;
}

/** A status and a body. */
export type PeerAnswer = [status: number, body: unknown];

/** A real OpenID Connect provider on loopback; everybody signs in as the account named by the test. */
export class OpenIdPeer {
  account: PeerAccount = { sub: 'u-1' };
  /** What it tells at its userinfo endpoint instead of the truth. */
  tells: PeerAnswer | undefined;
  private readonly accounts = new Map<string, PeerAccount>();
  private handler: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    void response.writeHead(503).end();

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start(): Promise<OpenIdPeer> {
    const server = createServer((request, response) => peer.handler(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const peer = new OpenIdPeer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return peer;
  }

  /**
   * Registers a client named `client` with these redirect URIs, which authenticates in the first of the ways offered.
   *
   * @param isConformant whether id tokens have no address, which is then told at the userinfo endpoint alone
   */
  serve(
    redirectUris: string[],
    offered: SecretMethod[] = ['client_secret_post', 'client_secret_basic'],
    isConformant = false,
  ): void {
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: 'client',
          client_secret: 'secret-of-the-client',
          redirect_uris: redirectUris,
          grant_types: ['authorization_code', 'refresh_token'],
        },
      ],
      clientAuthMethods: offered,
      clientDefaults: { token_endpoint_auth_method: offered[0] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: isConformant,
      pkce: { required: () => true },
      issueRefreshToken: () => Promise.resolve(true),
      findAccount: (_, id) => {
        const account = this.accounts.get(id) ?? { sub: id };
        return Promise.resolve({ accountId: id, claims: () => Promise.resolve({ ...account }) });
      },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/pass/${uid}` },
      loadExistingGrant: async (context) => {
        const grant = new context.oidc.provider.Grant({
          clientId: context.oidc.client!.clientId,
          accountId: context.oidc.session!.accountId!,
        });
        grant.addOIDCScope('openid email profile offline_access');
        await grant.save();
        return grant;
      },
    });
    const callback = provider.callback();
    this.handler = (request, response) => {
      // The library accepts a secret in either way, whatever it offers.
      if (!offered.includes('client_secret_basic') && /^Basic /i.test(request.headers.authorization ?? ''))
        return void response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}');
      if (this.tells && request.url === '/me') {
        const [status, body] = this.tells;
        return void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      }
      if (!request.url?.startsWith('/pass/')) return void callback(request, response);
      const { sub: accountId } = this.account;
      this.accounts.set(accountId, this.account);
      void provider.interactionFinished(request, response, { login: { accountId } });
    };
  }

  /** Follows redirects in a new browser with cookies, until it is sent elsewhere. */
  async visit(url: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let next = new URL(url);
    for (let hop = 0; hop < 10; hop++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      next = new URL(response.headers.get('location') ?? '', next);
      if (next.origin !== this.issuer) return next;
    }
    throw new Error(`The provider did not come back: ${next.href}`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
