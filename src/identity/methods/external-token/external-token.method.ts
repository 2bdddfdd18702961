import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EnvironmentId } from '../../../database/index.js';
import { EnvironmentSettingsReader, ExternalTokens } from '../../../environments/index.js';
import type { Proof } from '../../flows/proofs/proof.js';
import { OneAnswerMethod, SignInMethods } from '../../flows/proofs/sign-in-method.js';
import type { ProfileFields } from '../../users/profile-fields.dto.js';
import { externalAuthDisabled, invalidExternalToken } from './external-token.errors.js';

const MAX_NAME = 255;

/** A token sent by a client, or in a cookie of the customer's. */
export interface ExternalAnswer {
  jwt?: string | undefined;
  cookies: string | undefined;
}

/** Empty if there is no such cookie, or several and so no way to tell which is meant (RFC 6265 section 5.4). */
function cookieOf(header: string | undefined, name: string): string {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`));
  return values.length === 1 ? values[0]!.slice(name.length + 1) : '';
}

/**
 * A token of the customer's own identity provider proves its subject within that issuer: the same subject of another
 * issuer is another user. Email addresses in the token are only stated by the issuer, and claim nobody.
 */
@Injectable()
export class ExternalTokenMethod extends OneAnswerMethod<ExternalAnswer> implements OnModuleInit {
  readonly name = 'external-token';
  readonly proves = ['externalUser'] as const;

  constructor(
    private readonly tokens: ExternalTokens,
    private readonly settings: EnvironmentSettingsReader,
    private readonly methods: SignInMethods,
  ) {
    super();
  }

  /** The operations take no `requestedScopes`. */
  override canElevate(): Promise<boolean> {
    return Promise.resolve(false);
  }

  onModuleInit(): void {
    this.methods.register(this);
  }

  override async prove(environmentId: EnvironmentId, { jwt, cookies }: ExternalAnswer): Promise<Proof> {
    const { externalAuth } = (await this.settings.get(environmentId)).security;
    if (!externalAuth?.enabled) throw externalAuthDisabled();
    const token = jwt ?? (externalAuth.cookieName ? cookieOf(cookies, externalAuth.cookieName) : '');
    const { claims } = await this.tokens.verify(environmentId, token);
    if (!claims) throw invalidExternalToken();
    const { iss, sub, iat } = claims as { iss: string; sub: string; iat: number };
    const identifier = { kind: 'foreignSubject', value: sub, issuer: iss, isTrusted: true } as const;
    return {
      identifiers: [{ identifier, strength: 'proven' }],
      assurance: { amr: ['external'], factor: 'possession', at: new Date(actedAt(claims, iat) * 1_000) },
      profile: profileOf(claims),
      // A token may be reused until it is five minutes old, as pages are reloaded: it proves the same thing.
      redeem: async () => {},
    };
  }
}

/** When the person authenticated: `auth_time` (OpenID Connect Core §2) if present, but never later than the token. */
const actedAt = ({ auth_time: time }: Record<string, unknown>, iat: number): number =>
  typeof time === 'number' && time > 0 ? Math.min(time, iat) : iat;

/** A new user's profile, from standard claims (OpenID Connect Core §5.1). */
function profileOf({ given_name: first, family_name: last }: Record<string, unknown>): Partial<ProfileFields> {
  return { ...(isName(first) && { firstName: first }), ...(isName(last) && { lastName: last }) };
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_NAME && !/\p{Cc}/u.test(value);
