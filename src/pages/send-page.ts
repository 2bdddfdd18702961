import type { Response } from 'express';

/** What a page needs beyond its own origin. */
export interface PageSources {
  /** Additional origins, such as those of a vendor's sign-in button. */
  scripts?: string;
  frames?: string;
  /** Its form ends at another site. Chromium applies `form-action` to every redirect that follows a form. */
  formsLeadAway?: boolean;
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
    ...(sources?.scripts ? [`script-src 'self' ${sources.scripts}`] : []),
    ...(sources?.frames ? [`frame-src ${sources.frames}`] : []),
    "base-uri 'none'",
    ...(sources?.formsLeadAway ? [] : ["form-action 'self'"]),
    "frame-ancestors 'none'",
  ].join('; ');

/** Sets the content type and policy of a page. Returns the text, which the caller sends. */
export function asPage(response: Response, text: string, sources?: PageSources): string {
  response.type('html');
  response.setHeader('Content-Security-Policy', policyOf(sources));
  return text;
}
