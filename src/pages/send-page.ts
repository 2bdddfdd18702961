import type { Response } from 'express';

/** Additional origins that a page needs, such as those of a vendor's sign-in button. */
export interface PageSources {
  scripts: string;
  frames: string;
}

/**
 * Pages may load from their own origin and use `data:` images. Scripts must be files. Inline styles are allowed because
 * the API explorer needs them.
 */
const policyOf = (sources?: PageSources): string =>
  [
    "default-src 'self'",
    "img-src 'self' data:",
    "style-src 'self' 'unsafe-inline'",
    ...(sources ? [`script-src 'self' ${sources.scripts}`, `frame-src ${sources.frames}`] : []),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Sets the content type and policy of a page. Returns the text, which the caller sends. */
export function asPage(response: Response, text: string, sources?: PageSources): string {
  response.type('html');
  response.setHeader('Content-Security-Policy', policyOf(sources));
  return text;
}
