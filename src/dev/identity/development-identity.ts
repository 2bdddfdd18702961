import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';

/** The client id of the development identity provider, by which the service finds it. */
export const DEVELOPMENT_CLIENT = 'development';
export const IDENTITY_PATH = 'dev/identity';

const CODE_MS = 60_000;
const MAX_KEPT = 1_000;
const MAX_NAME = 100;

interface Grant {
  name: string;
  redirectUri: string;
  challenge: string;
  until: number;
}

const random = (): string => randomBytes(32).toString('base64url');

/**
 * An identity provider for development: any typed name is accepted, so it proves nothing and is for this machine only. It
 * implements the part of OAuth 2.0 that a sign-in needs, with PKCE and single-use codes.
 */
@Injectable()
export class DevelopmentIdentity {
  private readonly grants = new Map<string, Grant>();
  private readonly names = new Map<string, string>();

  constructor(private readonly clock: Clock) {}

  /** Issues a code for a name; null for an invalid name. */
  grant(name: string, redirectUri: string, challenge: string): string | null {
    const given = name.trim();
    if (given === '' || given.length > MAX_NAME) return null;
    const code = random();
    keep(this.grants, code, { name: given, redirectUri, challenge, until: this.clock.timestamp() + CODE_MS });
    return code;
  }

  /** Exchanges a code for an access token; null for an invalid grant (RFC 6749 section 5.2). */
  redeem(form: URLSearchParams): string | null {
    const code = form.get('code') ?? '';
    const grant = this.grants.get(code);
    this.grants.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const fits = grant?.redirectUri === form.get('redirect_uri') && grant?.challenge === challenge;
    if (!grant || !fits || grant.until < this.clock.timestamp()) return null;
    const token = random();
    keep(this.names, token, grant.name);
    return token;
  }

  /** The account of a token. The same name is always the same account. */
  accountOf(token: string): { id: number; login: string; name: string } | null {
    const name = this.names.get(token);
    if (name === undefined) return null;
    const id = createHash('sha256').update(name.toLowerCase()).digest().readUIntBE(0, 6);
    return { id, login: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), name };
  }
}

/** Keeps at most MAX_KEPT entries in memory, evicting the oldest. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_KEPT && oldest !== undefined) map.delete(oldest);
}
