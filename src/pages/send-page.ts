import type { Response } from 'express';

/**
 * What a page may load: its own origin, and images inside the text. Scripts come from files alone. Inline styles are
 * admitted for the API explorer, which positions its parts with them.
 */
const POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Marks the answer as a page for people; the text is sent by the caller. */
export function asPage(response: Response, text: string): string {
  response.type('html');
  response.setHeader('Content-Security-Policy', POLICY);
  return text;
}
