import type { EnvironmentKind } from '../../auth/index.js';
import { isAnyPortOrigin, isLocalhost, isWildcardOrigin, matchesOrigin } from './origin-match.js';

/** An origin in normal form, or the reason for its refusal. */
export type ParsedOrigin = { origin: string; refusal?: never } | { origin?: never; refusal: string };

const SANDBOX_ALONE = 'Plain http is for the sandbox alone: use https.';

const refused = (refusal: string): ParsedOrigin => ({ refusal });

/**
 * An origin as browsers write it: lower case, without a default port. Requests are compared with the stored text, so an
 * origin that could never match is refused.
 */
export function parseOrigin(text: string, kind: EnvironmentKind): ParsedOrigin {
  if (isAnyPortOrigin(text)) return kind === 'sandbox' ? { origin: text } : refused(SANDBOX_ALONE);
  const origin = inNormalForm(text);
  if (origin === null)
    return refused('This is not an origin: use a scheme and a host, with a port where it is not the default.');
  if (origin.includes('*')) {
    return isWildcardOrigin(origin)
      ? { origin }
      : refused('A wildcard stands for the leftmost label of an https host, below a domain that is yours alone.');
  }
  if (origin.startsWith('http:')) {
    if (!isLocalhost(new URL(origin).hostname)) return refused('Plain http is for localhost alone: use https.');
    if (kind !== 'sandbox') return refused(SANDBOX_ALONE);
  }
  return matchesOrigin(origin, origin) && !/\.(:|$)/.test(origin)
    ? { origin }
    : refused('No browser sends this origin.');
}

function inNormalForm(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol.endsWith('-extension:')) return text.toLowerCase();
  // Anything after the host would be dropped silently.
  return url.origin !== 'null' && url.href === `${url.origin}/` ? url.origin : null;
}
