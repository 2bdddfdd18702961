import type { Clock } from '../../common/clock.js';
import type { VaultAnswer, VaultLink } from '../remote/vault-link.js';

/** How this service authenticates to Vault: a token renewed by somebody else, or an AppRole to log in with. */
export type TransitLogin = { readonly token: string } | { readonly roleId: string; readonly secretId: string };

export interface TransitAddress {
  /** Origin, such as `https://vault.example.com:8200`. */
  readonly address: string;
  readonly namespace: string | null;
  readonly login: TransitLogin;
}

interface Token {
  readonly text: string;
  /** Null for a configured token, which cannot be replaced here. */
  readonly until: number | null;
}

/** A token is used for two thirds of its lifetime. */
const USED_SHARE = 2 / 3;
/**
 * Between two logins for refused tokens. If the policy is at fault, another token is refused as well, and Vault keeps
 * each of them until it expires: one for every call would fill its storage, and use up a secret id of limited uses.
 */
const REFUSED_AGAIN_MS = 10_000;
const FORBIDDEN = 403;

/** The HTTP API of HashiCorp Vault, as far as its transit engine needs it. */
export class TransitClient {
  private making: Promise<Token> | null = null;
  private held: Token | null = null;
  /** When a refused token may next be replaced. */
  private replaceableAt = 0;

  constructor(
    private readonly link: VaultLink,
    private readonly at: TransitAddress,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns any response with a status below 500, except 403, 404, 412 and 429.
   *
   * @throws KeyVaultUnavailableError
   */
  async call(method: 'GET' | 'POST', path: string, input?: object): Promise<VaultAnswer> {
    let token = await this.freshToken();
    let answer = await this.send(method, path, token.text, input);
    // A token from a login may be revoked early; a configured one would be the same again.
    if (answer.status === FORBIDDEN && this.isReplaced(token)) {
      token = await this.freshToken();
      answer = await this.send(method, path, token.text, input);
    }
    if (answer.status === FORBIDDEN) return this.link.fail('does not let this service use the transit key (403)');
    if (answer.status === 404) return this.link.fail('has no such transit mount or key (404)');
    return answer;
  }

  fail(reason: string): never {
    return this.link.fail(reason);
  }

  answered(): void {
    this.link.answered();
  }

  close(): Promise<void> {
    return this.link.close();
  }

  private async freshToken(): Promise<Token> {
    const token = await this.currentToken();
    if (token.until === null || token.until > this.clock.timestamp()) return token;
    this.drop(token);
    return this.currentToken();
  }

  /** Concurrent callers share one login. */
  private currentToken(): Promise<Token> {
    const { login } = this.at;
    if ('token' in login) return Promise.resolve({ text: login.token, until: null });
    return (this.making ??= this.logIn(login.roleId, login.secretId).then(
      (token) => (this.held = token),
      (error: unknown) => {
        this.making = null;
        throw error;
      },
    ));
  }

  /** Whether there is, or will be, another token than the refused one. */
  private isReplaced(token: Token): boolean {
    if (token.until === null) return false;
    if (this.held !== token) return true;
    const now = this.clock.timestamp();
    if (now < this.replaceableAt) return false;
    this.replaceableAt = now + REFUSED_AGAIN_MS;
    this.drop(token);
    return true;
  }

  private drop(token: Token): void {
    if (this.held !== token) return;
    this.held = null;
    this.making = null;
  }

  private async logIn(roleId: string, secretId: string): Promise<Token> {
    const { status, body } = await this.send('POST', 'auth/approle/login', null, {
      role_id: roleId,
      secret_id: secretId,
    });
    const auth = (body['auth'] ?? {}) as Readonly<Record<string, unknown>>;
    const text = auth['client_token'];
    const seconds = auth['lease_duration'];
    if (status !== 200 || typeof text !== 'string') return this.link.fail(`refused the AppRole (${status})`);
    // 0 means that it does not expire.
    const lifeMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 * USED_SHARE : Infinity;
    return { text, until: this.clock.timestamp() + lifeMs };
  }

  private send(method: 'GET' | 'POST', path: string, token: string | null, input?: object): Promise<VaultAnswer> {
    const { address, namespace } = this.at;
    const headers = {
      'x-vault-request': 'true',
      ...(token !== null && { 'x-vault-token': token }),
      ...(namespace !== null && { 'x-vault-namespace': namespace }),
      ...(input && { 'content-type': 'application/json' }),
    };
    const request = { method, url: `${address}/v1/${path}`, headers, ...(input && { body: JSON.stringify(input) }) };
    return this.link.ask(() => request, isBusy);
  }
}

/** 412: a standby that has not yet seen the latest write; 429: over quota; 5xx: sealed, or failing. */
const isBusy = ({ status }: VaultAnswer): boolean => status === 412 || status === 429 || status >= 500;
