import { isIP } from 'node:net';
import { parse } from 'tldts';
import { cutText } from '../../common/cut-text.js';

export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const MAX_NAME = 100;

/** Escapes text for an HTML element or a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/** Makes a name safe for a subject: one line of at most 100 characters, without control characters. */
export const singleLine = (text: string): string =>
  cutText(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim(), MAX_NAME);

/** Parts of a word that may be a host name: mail programs also find one after a comma, a colon or a quote. */
const HOSTS = /[\p{L}\p{M}\p{N}]+(?:[.-]+[\p{L}\p{M}\p{N}]+)+/gu;

function isHost(text: string): boolean {
  if (/^www\./i.test(text)) return true;
  const { domain, isIcann } = parse(text.toLowerCase(), { extractHostname: false, validateHostname: false });
  return domain !== null && isIcann === true;
}

/** Whether mail programs would make a link of it: anything with a scheme, an @ or a known TLD, and IP addresses. */
function isAddress(word: string): boolean {
  const bare = word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  if (bare.includes('@') || bare.includes('://') || isIP(bare) !== 0) return true;
  // After a slash, four numbers are a browser version.
  return [...bare.matchAll(HOSTS)].some(
    ({ 0: text, index }) => isHost(text) || (isIP(text) !== 0 && bare[index - 1] !== '/'),
  );
}

/**
 * Makes a user-chosen name safe for a mail to someone else: one line without markup, direction marks or anything that a
 * mail program makes a link of. Dots of addresses become middle dots, so that names with a domain stay readable.
 */
export const nameInMail = (text: string): string =>
  singleLine(text.normalize('NFKC').replace(/\p{Cf}|[<>[\]{}()*_`#|\\]/gu, ' '))
    .split(/\s+/)
    .map((word) => (isAddress(word) ? word.replace(/[.:/@]+/g, '·') : word))
    .join(' ')
    .trim();

/** Without the characters after which mail programs take what comes first for a host: `evil.example/a@example.com`. */
const MAILBOX = /^[\p{L}\p{M}\p{N}.+_'-]+@[^\s@/?#:]+$/u;

/**
 * A time as people write it, to the second and in UTC, with the 24-hour clock: `Friday, January 2, 2026 at 15:04:05 UTC`.
 * @param language BCP 47
 */
export const timeInMail = (at: Date, language: string): string =>
  new Intl.DateTimeFormat(language, {
    dateStyle: 'full',
    timeStyle: 'long',
    hourCycle: 'h23',
    timeZone: 'UTC',
  }).format(at);

/** A user-chosen email address in a mail to someone else: as it is if it can only be read as one, else like a name. */
export const mailboxInMail = (email: string): string => (MAILBOX.test(email) ? email : nameInMail(email));
