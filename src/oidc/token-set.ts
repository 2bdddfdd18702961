import type { TokenEndpointResponse } from 'openid-client';

export interface TokenSet {
  accessToken: string;
  refreshToken: string | null;
  /** Unverified: must not be trusted before `IdTokens` has verified it. */
  idToken: string | null;
  expiresInSeconds: number | null;
  /** The granted scopes, if the provider reports them. */
  scope: string | null;
  /** All other members of the response: some vendors put the subject there. */
  rest: Readonly<Record<string, unknown>>;
}

const TOKENS = ['access_token', 'refresh_token', 'id_token'];

/** The id token is taken out, so that one place alone decides about it; the rest is brought to RFC 6749 section 5. */
export async function readTokenAnswer(answer: Response): Promise<{ answer: Response; idToken: string | null }> {
  const body = /\bjson\b/i.test(answer.headers.get('content-type') ?? '')
    ? parseObject(await answer.clone().text())
    : null;
  if (!body) return { answer, idToken: null };
  const { id_token: idToken, ...rest } = body;
  const status = answer.status === 200 && typeof rest['error'] === 'string' ? 400 : answer.status;
  const text = JSON.stringify(inProtocol(rest));
  return {
    answer: new Response(text, { status, headers: { 'content-type': 'application/json' } }),
    idToken: typeof idToken === 'string' ? idToken : null,
  };
}

/** Normalises vendor deviations: a missing `token_type` (RFC 6750 is meant) and scopes as a list. */
function inProtocol({ token_type: type, scope, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return {
    ...rest,
    token_type: typeof type === 'string' ? type : 'bearer',
    ...(Array.isArray(scope)
      ? { scope: scope.filter((each) => typeof each === 'string').join(' ') }
      : typeof scope === 'string'
        ? { scope }
        : {}),
  };
}

export function tokenSetOf(answer: TokenEndpointResponse, idToken: string | null): TokenSet {
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? null,
    idToken,
    expiresInSeconds: answer.expires_in ?? null,
    scope: answer.scope ?? null,
    rest: Object.fromEntries(Object.entries(answer).filter(([name]) => !TOKENS.includes(name))),
  };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
