import type { Response } from 'express';

/** Origins that a page needs beside the service's own: those of a vendor whose button it shows. */
export interface PageSources {
  scripts: string;
  frames: string;
}

/**
 * What a page may load: its own origin, and images inside the text. Scripts come from files alone. Inline styles are
 * admitted for the API explorer, which positions its parts with them.
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

/** Marks the answer as a page for people; the text is sent by the caller. */
export function asPage(response: Response, text: string, sources?: PageSources): string {
  response.type('html');
  response.setHeader('Content-Security-Policy', policyOf(sources));
  return text;
}
