import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface VendorAccount {
  id: number;
  login?: string;
  name?: string;
  email?: string;
  /** The list of addresses is unavailable. */
  areEmailsUntold?: boolean;
}

/** A plain OAuth 2.0 vendor on loopback: a code stands for an account until it is used. */
export class OauthVendor {
  readonly accounts = new Map<string, VendorAccount>();
  /** The forms sent to the token endpoint. */
  readonly forms: URLSearchParams[] = [];
  /** The lifetime of its tokens; null for tokens without expiry. */
  expiresIn: number | null = null;
  /** Whether a sign-in gets a refresh token: some vendors give it with the first consent only. */
  givesRefreshTokens = true;
  private readonly tokens = new Map<string, VendorAccount>();
  private readonly refreshTokens = new Map<string, VendorAccount>();

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

  /** The value for PROVIDER_ADDRESSES. */
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
      if (form.get('grant_type') === 'refresh_token') return this.refresh(form.get('refresh_token') ?? '', json);
      const code = form.get('code') ?? '';
      const account = this.accounts.get(code);
      if (!account || !this.accounts.delete(code)) return json(400, { error: 'invalid_grant' });
      const { refresh_token: refreshToken, ...rest } = this.answerFor(account, `token-${code}`);
      return json(200, this.givesRefreshTokens && refreshToken ? { ...rest, refresh_token: refreshToken } : rest);
    }
    const account = this.tokens.get((request.headers.authorization ?? '').replace('Bearer ', ''));
    if (!account) return json(401, {});
    const { id, login, email, name: shown = 'Ann', areEmailsUntold = false } = account;
    if (request.url === '/user/emails') {
      if (areEmailsUntold) return json(502, {});
      return json(200, email === undefined ? [] : [{ email, primary: true, verified: true }]);
    }
    const name = login ?? `login-${id}`;
    // Field names of GitHub and of Discord.
    return json(200, { id, login: name, username: name, name: shown });
  }

  forgetRefreshTokens(): void {
    this.refreshTokens.clear();
  }

  /** Refresh tokens are single-use, as at providers that rotate them. */
  private refresh(token: string, json: (status: number, value: unknown) => void): void {
    const account = this.refreshTokens.get(token);
    if (!account || !this.refreshTokens.delete(token)) return json(400, { error: 'invalid_grant' });
    json(200, this.answerFor(account, `token-${randomUUID()}`));
  }

  private answerFor(account: VendorAccount, accessToken: string): Record<string, unknown> {
    const refreshToken = `refresh-${randomUUID()}`;
    this.tokens.set(accessToken, account);
    this.refreshTokens.set(refreshToken, account);
    // Shopify's way of naming a token's owner.
    const person = { associated_user: { id: account.id } };
    const shared = { access_token: accessToken, token_type: 'bearer', scope: 'user', ...person };
    return this.expiresIn === null ? shared : { ...shared, refresh_token: refreshToken, expires_in: this.expiresIn };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
