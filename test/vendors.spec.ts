import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { accessEndpoints } from '../src/access-control/access-endpoints.js';
import { Config } from '../src/config/index.js';
import { VENDOR_NAMES } from '../src/config/vendor-names.js';
import { checkVendors } from '../src/doctor/checks/vendors.js';
import { fundingEndpoints } from '../src/funding/vendor-endpoints.js';
import { RATE_SOURCES } from '../src/networks/rates/rate-sources.js';
import { vendorEndpoints } from '../src/networks/sources/vendor-endpoints.js';
import { MAIL_VENDORS } from '../src/providers/mail/mail-vendors.js';
import { SOCIAL_VENDORS } from '../src/providers/social/catalogue.js';
import { generateMasterKey } from '../src/vault/index.js';

const FOLDERS = ['src/networks', 'src/funding'];
const sources = globSync(FOLDERS.map((folder) => `${folder}/**/*.ts`))
  .filter((path) => !path.endsWith('.spec.ts'))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }));

/** Names under which adapters ask, as their sources have them. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/(?:\bVENDOR = |\bvendor: )'([\w-]+)'/g)].map(([, name]) => name!);
const asked = new Set([
  ...sources.flatMap(({ text }) => namesIn(text)),
  ...RATE_SOURCES.map(({ name }) => name),
  // Nodes are counted by their family.
  ...['evm-node', 'solana-node'],
]);

const endpointsOf = (settings: Record<string, string>) => {
  const config = Config.load({ MASTER_KEY: generateMasterKey(), ...settings });
  return [...vendorEndpoints(config), ...fundingEndpoints(config), ...accessEndpoints(config)];
};
const CHOSEN = {
  TOKEN_LISTS: 'https://lists.example/tokens.json?key=canary',
  SCAN_BLOCK_LISTS: 'https://lists.example/blocked',
  SCAN_ALLOW_LISTS: '/etc/allowed.txt',
  BLOCKAID_API_KEY: 'canary',
  CHAIN_INDEXERS: JSON.stringify({
    'eip155:1': { balances: 'https://indexer.example/canary', history: 'https://indexer.example/?apikey=canary' },
  }),
  PROVIDER_ADDRESSES: JSON.stringify({ banxa: { api: 'https://banxa.example' }, ecb: { api: 'https://ecb.example' } }),
};

describe('every adapter that asks a vendor', () => {
  it('is looked at by the doctor, under the name that figures and errors have', () => {
    expect(asked.size).toBeGreaterThan(15);
    const named = new Set(endpointsOf(CHOSEN).map(({ vendor }) => vendor));
    expect([...asked].filter((name) => !named.has(name))).toEqual([]);
  });

  it('would be missed there, if its name were a new one', () => {
    expect(namesIn("const VENDOR = 'newcomer';\nthis.vendors.json({ vendor: 'another-one', urls }, read)")).toEqual([
      'newcomer',
      'another-one',
    ]);
  });

  it('is looked at where nothing names it as well, and said not to be configured', async () => {
    const endpoints = endpointsOf({});
    const named = new Set(endpoints.map(({ vendor }) => vendor));
    expect([...asked].filter((name) => !named.has(name))).toEqual([]);
    const { state, meaning } = await checkVendors(endpoints, async () => 'dns', new Map());
    expect([state, meaning]).toEqual(['ok', expect.stringContaining('history-indexer is not configured')]);
    expect(meaning).toContain('banxa is at a host of each partner');
  });

  it('is told of without a word of its address', async () => {
    const reach = async () => ({ status: 500, durationMs: 1, quotaLeft: null });
    const { state, meaning } = await checkVendors(endpointsOf(CHOSEN), reach, new Map());
    expect([state, /canary|\.example/.test(meaning)]).toEqual(['warn', false]);
  });

  it('goes the one way out that is guarded, limited and counted', () => {
    const ways = sources.filter(({ text }) => /\bOutboundHttp\b|\bundici\b|\bfetch\(/.test(text));
    expect(ways.map(({ path }) => path).sort()).toEqual([
      'src/networks/rpc/json-rpc.ts',
      'src/networks/rpc/rpc-transport.ts',
      'src/networks/sources/vendor-client.ts',
    ]);
  });
});

/** The names under which sources look for another address: as they stand, or in a constant of the file. */
function lookedUpIn(text: string): string[] {
  const written = text.matchAll(/(?:addresses\.of\(|PROVIDER_ADDRESSES'\)\[|\bown\[)'(\w+)'/g);
  const constant = /(?:addresses\.of\(|PROVIDER_ADDRESSES'\)\[)VENDOR\b/.test(text)
    ? /const VENDOR = '(\w+)'/.exec(text)
    : null;
  const listed = [
    ...text.matchAll(/^ {2}(\w+): \{ api: .*, path: /gm),
    ...text.matchAll(/NAMES.* = new Map\(\[\[1, '(\w+)'\]\]\)/g),
  ];
  return [...written, ...(constant ? [constant] : []), ...listed].map(([, name]) => name!);
}

describe('the vendors that can be given another address', () => {
  const lookedUp = [
    ...globSync('src/**/*.ts').flatMap((path) => lookedUpIn(readFileSync(path, 'utf8'))),
    ...[...MAIL_VENDORS, ...RATE_SOURCES].map(({ name }) => name),
    ...SOCIAL_VENDORS.flatMap(({ protocol, type }) => (protocol === 'own' ? [] : [type.name])),
  ];

  it('are those that something looks up, and no others', () => {
    expect([...VENDOR_NAMES]).toEqual([...new Set(lookedUp)].sort());
  });

  it('would lack one that a source began to look up', () => {
    expect(lookedUpIn("const VENDOR = 'newcomer';\nthis.addresses.of(VENDOR).api ?? own['another']")).toEqual([
      'another',
      'newcomer',
    ]);
  });
});
