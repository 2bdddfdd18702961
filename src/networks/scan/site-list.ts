import { domainToASCII } from 'node:url';

/** Sites by name, from an external list. */
export interface SiteList {
  blocked: readonly string[];
  allowed: readonly string[];
}

const MOST_NAMES = 500_000;
const NAME = /^(?:\*\.)?([a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)+)\.?$/;

/** The host on a line: a name alone, or after an address as in hosts files. Null for comments and invalid names. */
function nameOf(line: string): string | null {
  const text = line
    .replace(/[#!].*$/, '')
    .trim()
    .toLowerCase();
  const last = text.split(/\s+/).at(-1) ?? '';
  // Internationalised names are compared in the form that browsers send (RFC 5891).
  const name = /^[\x20-\x7e]*$/.test(last) ? last : domainToASCII(last);
  return NAME.exec(name)?.[1] ?? null;
}

const namesOf = (values: unknown): string[] =>
  Array.isArray(values)
    ? (values as unknown[])
        .slice(0, MOST_NAMES)
        .flatMap((value) => (typeof value === 'string' ? (nameOf(value) ?? []) : []))
    : [];

/**
 * Parses a list: one name per line, a hosts file, or JSON with `blacklist` and `whitelist` as in
 * https://github.com/MetaMask/eth-phishing-detect. Lines are names of `kind`; JSON has its own kinds.
 *
 * @throws Error if the text begins like JSON and is not valid JSON
 */
export function parseSiteList(text: string, kind: 'blocked' | 'allowed'): SiteList {
  if (/^\s*\{/.test(text)) {
    const { blacklist, whitelist } = JSON.parse(text) as { blacklist?: unknown; whitelist?: unknown };
    return { blocked: namesOf(blacklist), allowed: namesOf(whitelist) };
  }
  const names = namesOf(text.split('\n', MOST_NAMES));
  return { blocked: kind === 'blocked' ? names : [], allowed: kind === 'allowed' ? names : [] };
}
