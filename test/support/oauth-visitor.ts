import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { OauthVendor, VendorAccount } from './oauth-vendor.js';
import type { World } from './world.js';

export const random = (): string => randomBytes(32).toString('base64url');
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
export const newAccount = (more: Partial<VendorAccount> = {}): VendorAccount => ({ id: randomInt(2 ** 40), ...more });

export interface Signed {
  user: { id: string; email?: string; verifiedCredentials: { format: string; oauth_account_id?: string }[] };
  jwt: string;
}
export interface Refused {
  code?: string;
  payload?: { error?: string };
}

/** A client in a separate browser, from the beginning of a sign-in to its end. */
export class OauthVisitor {
  cookie = '';
  readonly state = random();

  constructor(
    private readonly world: World,
    private readonly vendor: OauthVendor,
  ) {}

  at(rest: string, provider = 'github'): string {
    return this.world.sdk(`/providers/${provider}${rest}`);
  }

  private get headers(): Record<string, string> {
    return this.cookie ? { cookie: this.cookie } : {};
  }

  async begin(body: object = {}, provider?: string): Promise<this> {
    const request = { state: this.state, ...body };
    const { headers } = await this.world.anonymous.post(this.at('/initAuth', provider), request, {
      expect: 204,
      headers: this.headers,
    });
    const set = headers.getSetCookie()[0];
    if (set) this.cookie = set.split(';')[0]!;
    return this;
  }

  login(query = '', provider?: string) {
    return this.world.anonymous.get<Refused>(this.at(`/login${query}`, provider), { headers: this.headers });
  }

  callback(parameters: Record<string, string>, provider?: string) {
    const query = new URLSearchParams({ state: this.state, ...parameters }).toString();
    return this.world.anonymous.get<Refused>(this.at(`/redirect?${query}`, provider), { headers: this.headers });
  }

  /** The vendor redirects the browser back with an account. */
  comeBack(account: VendorAccount) {
    const code = random();
    this.vendor.accounts.set(code, account);
    return this.callback({ code });
  }

  result(provider?: string) {
    const options = { headers: this.headers };
    return this.world.anonymous.post<{ status: string; code: string; error: string } & Refused>(
      this.at('/oauthResult', provider),
      { state: this.state },
      options,
    );
  }

  signIn(body: object, provider?: string) {
    const options = { headers: this.headers };
    const request = { state: this.state, ...body };
    return this.world.anonymous.post<Signed & Refused>(this.at('/signIn', provider), request, options);
  }

  async finish(provider?: string) {
    return this.signIn({ code: (await this.result(provider)).body.code }, provider);
  }
}
