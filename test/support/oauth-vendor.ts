import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface VendorAccount {
  id: number;
  login?: string;
  email?: string;
}

/** A vendor of plain OAuth 2.0 on loopback: a code stands for an account until it is used. */
export class OauthVendor {
  readonly accounts = new Map<string, VendorAccount>();
  /** The forms that the token endpoint was sent. */
  readonly forms: URLSearchParams[] = [];
  private readonly tokens = new Map<string, VendorAccount>();

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<OauthVendor> {
    const server = createServer((request, response) => void vendor.handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const vendor = new OauthVendor(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return vendor;
  }

  /** For PROVIDER_ADDRESSES. */
  get addresses(): Record<string, string> {
    const { origin } = this;
    return { authorize: `${origin}/authorize`, token: `${origin}/token`, profile: `${origin}/user`, api: origin };
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const json = (status: number, value: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.url === '/token') {
      const form = new URLSearchParams(body);
      this.forms.push(form);
      const code = form.get('code') ?? '';
      const account = this.accounts.get(code);
      if (!account || !this.accounts.delete(code)) return json(400, { error: 'invalid_grant' });
      this.tokens.set(`token-${code}`, account);
      return json(200, { access_token: `token-${code}`, token_type: 'bearer', scope: 'user' });
    }
    const account = this.tokens.get((request.headers.authorization ?? '').replace('Bearer ', ''));
    if (!account) return json(401, {});
    const { id, login, email } = account;
    if (request.url === '/user/emails') {
      return json(200, email === undefined ? [] : [{ email, primary: true, verified: true }]);
    }
    return json(200, { id, login: login ?? `login-${id}`, name: 'Ann' });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
