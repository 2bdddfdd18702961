import { domainToASCII } from 'node:url';

/** Sites by name, from an external list. */
export interface SiteList {
  blocked: readonly string[];
  allowed: readonly string[];
}

const MOST_NAMES = 500_000;
const NAME = /^(?:\*\.)?([a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)+)\.?$/;

/** What a line says besides its comment. */
const saidIn = (line: string): string => line.replace(/[#!].*$/, '').trim();

/** The host on a line: a name alone, or after an address as in hosts files. Null for comments and invalid names. */
function nameOf(line: string): string | null {
  const last = saidIn(line).toLowerCase().split(/\s+/).at(-1) ?? '';
  // Internationalised names are compared in the form that browsers send (RFC 5891).
  const name = /^[\x20-\x7e]*$/.test(last) ? last : domainToASCII(last);
  return NAME.exec(name)?.[1] ?? null;
}

const namesOf = (values: readonly unknown[]): string[] =>
  values.slice(0, MOST_NAMES).flatMap((value) => (typeof value === 'string' ? (nameOf(value) ?? []) : []));

const noList = (): Error => new Error('no list of sites');

/**
 * Parses a list: one name per line, a hosts file, or JSON with `blacklist` and `whitelist` as in
 * https://github.com/MetaMask/eth-phishing-detect. Lines are names of `kind`; JSON has its own kinds.
 *
 * @throws Error if the text is neither, such as the page of a proxy: it names no site, and would empty the list
 */
export function parseSiteList(text: string, kind: 'blocked' | 'allowed'): SiteList {
  if (/^\s*\{/.test(text)) {
    const { blacklist, whitelist } = JSON.parse(text) as { blacklist?: unknown; whitelist?: unknown };
    const [blocked, allowed] = [blacklist ?? [], whitelist ?? []];
    const isList = (blacklist ?? whitelist) !== undefined && Array.isArray(blocked) && Array.isArray(allowed);
    if (!isList) throw noList();
    return { blocked: namesOf(blocked), allowed: namesOf(allowed) };
  }
  const lines = text.split('\n', MOST_NAMES);
  const names = namesOf(lines);
  if (/^\s*</.test(text) || (names.length === 0 && lines.some((line) => saidIn(line) !== ''))) throw noList();
  return { blocked: kind === 'blocked' ? names : [], allowed: kind === 'allowed' ? names : [] };
}
