import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';

/** Names the client of the provider of identities, by which the service knows where that provider is. */
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
 * A provider of identities for development: whoever types a name is that name, so it proves nothing and never leaves this
 * machine. It speaks as much of OAuth 2.0 as a sign-in needs, with PKCE and codes that are good once.
 */
@Injectable()
export class DevelopmentIdentity {
  private readonly grants = new Map<string, Grant>();
  private readonly names = new Map<string, string>();

  constructor(private readonly clock: Clock) {}

  /** A code for a name; null for a name that is none. */
  grant(name: string, redirectUri: string, challenge: string): string | null {
    const given = name.trim();
    if (given === '' || given.length > MAX_NAME) return null;
    const code = random();
    keep(this.grants, code, { name: given, redirectUri, challenge, until: this.clock.timestamp() + CODE_MS });
    return code;
  }

  /** The access token that a code is traded for; null when it does not fit (RFC 6749 section 5.2). */
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

  /** The same name is the same account, whenever it is typed. */
  accountOf(token: string): { id: number; login: string; name: string } | null {
    const name = this.names.get(token);
    if (name === undefined) return null;
    const id = createHash('sha256').update(name.toLowerCase()).digest().readUIntBE(0, 6);
    return { id, login: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), name };
  }
}

/** What is kept goes with the process; the oldest goes before. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_KEPT && oldest !== undefined) map.delete(oldest);
}
