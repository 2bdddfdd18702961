import { isIP } from 'node:net';
import { parse } from 'tldts';

export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const MAX_NAME = 100;

/** Text as it may stand in HTML, in an element or a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/** A name as it may stand in a subject: one line of at most 100 characters, without control characters. */
export const singleLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME);

/** Parts of a word that may be a host: mail programs find one behind a comma, a colon or a quote as well. */
const HOSTS = /[\p{L}\p{M}\p{N}]+(?:[.-]+[\p{L}\p{M}\p{N}]+)+/gu;

function isHost(text: string): boolean {
  if (/^www\./i.test(text)) return true;
  const { domain, isIcann } = parse(text.toLowerCase(), { extractHostname: false, validateHostname: false });
  return domain !== null && isIcann === true;
}

/** What mail programs make a link of: anything with a scheme, an @ or a known ending, and the address of a machine. */
function isAddress(word: string): boolean {
  const bare = word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  if (bare.includes('@') || bare.includes('://') || isIP(bare) !== 0) return true;
  // Behind a slash four numbers are the version of a browser.
  return [...bare.matchAll(HOSTS)].some(
    ({ 0: text, index }) => isHost(text) || (isIP(text) !== 0 && bare[index - 1] !== '/'),
  );
}

/**
 * A name that somebody chose, in a mail to somebody else: one line without markup, direction marks or anything that a
 * mail program makes a link of. Dots of addresses become middle dots, so that a name such as a shop's can be read.
 */
export const nameInMail = (text: string): string =>
  singleLine(text.normalize('NFKC').replace(/\p{Cf}|[<>[\]{}()*_`#|\\]/gu, ' '))
    .split(/\s+/)
    .map((word) => (isAddress(word) ? word.replace(/[.:/@]+/g, '·') : word))
    .join(' ')
    .trim();
