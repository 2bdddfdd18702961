/** The parts of a request that show whether a page of another site caused it. */
export interface CookieRequest {
  method: string;
  origin: string | undefined;
  contentType: string | undefined;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const JSON_TYPE = /^application\/json\s*(;|$)/i;

/**
 * Whether a request with the session cookie may act for the user. A state-changing request must state its origin, which
 * must be ours or the environment's, whatever `Sec-Fetch-Site` says. A cross-site form cannot send JSON, so any other
 * declared content type is refused too.
 */
export async function mayUseCookie(
  { method, origin, contentType }: CookieRequest,
  isAllowed: (origin: string) => boolean | Promise<boolean>,
): Promise<boolean> {
  if (SAFE_METHODS.has(method)) return true;
  if (!origin || origin === 'null') return false;
  if (contentType !== undefined && !JSON_TYPE.test(contentType)) return false;
  return isAllowed(origin);
}
