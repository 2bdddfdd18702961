import { isIP } from 'node:net';
import type { Entry } from '../servers/zone.js';
import { FORBIDDEN_ANSWERS } from '../../src/outbound/ssrf-vectors.js';

/** Reserved for examples, so that no real domain is queried if the run's name server is unavailable. */
export const SUFFIX = '.chaos.example.com';
/** Stands for a public address: the one loopback address that instances may call. */
export const PERMITTED = '127.0.0.9';
/** The addresses that the trap listens on. */
export const TRAPPED = ['127.0.0.1', '127.0.0.2', '127.1.2.3', '127.8.8.8', '127.255.255.255', '::1'];

/** The name whose server never responds, and the one that changes between lookups. */
export const SILENT = 'silent';
export const REBOUND = 'rebound';
export const PUBLIC = 'public';

/** Names of webhooks, without the suffix, and their DNS records. */
export const NAMES: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  [PUBLIC, { addresses: [PERMITTED] }],
  [REBOUND, { turns: [PERMITTED, '127.0.0.1'] }],
  ['mixed', { addresses: [PERMITTED, '127.0.0.1'] }],
  ['mixed-too', { addresses: ['127.0.0.1', PERMITTED] }],
  ['mixed-families', { addresses: [PERMITTED, '::1'] }],
  ['inside', { addresses: ['127.0.0.1'] }],
  ['alias', { alias: `inside${SUFFIX}` }],
  ['alias-of-alias', { alias: `alias${SUFFIX}` }],
  ['failing', 'failure'],
  [SILENT, 'silence'],
  ['mapped', { addresses: ['::ffff:127.0.0.1'] }],
  ['nat64', { addresses: ['64:ff9b::7f00:1'] }],
  ['six-to-four', { addresses: ['2002:7f00:1::'] }],
  ...FORBIDDEN_ANSWERS.filter((answer) => isIP(answer) !== 0 && !answer.includes('%')).map(
    (answer, index): [string, Entry] => [`answer-${index}`, { addresses: [answer] }],
  ),
]);

/** A name that is in no zone. */
export const MISSING = 'missing';
