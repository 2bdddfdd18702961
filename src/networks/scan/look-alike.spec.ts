import { describe, expect, it } from '@jest/globals';
import { editDistance, KnownSites, skeletonOf } from './look-alike.js';
import { parseSiteList } from './site-list.js';

describe('names that look like others', () => {
  it.each([
    ['kitten', 'sitting', 3],
    ['metamask', 'metamsak', 1],
    ['', 'ab', 2],
    ['same', 'same', 0],
  ])('%s and %s are %d edits apart', (a, b, edits) => expect(editDistance(a, b, 5)).toBe(edits));

  it('have the same skeleton', () => {
    expect(['pаypal', 'PÁYPAL', 'paypa1'].map(skeletonOf)).toEqual(['paypal', 'paypal', 'paypal']);
    expect(['vvallet', 'rnetamask'].map(skeletonOf)).toEqual(['wallet', 'metamask']);
  });

  it('are not held against short names by edits, nor against themselves under another suffix', () => {
    const known = new KnownSites(['aave.com', 'uniswap.org']);
    expect(['have.com', 'uniswap.com', 'uniswap.org'].map((site) => known.imitatedBy(site))).toEqual([
      null,
      null,
      null,
    ]);
    expect(known.imitatedBy('aаve.com')).toEqual({ site: 'aave.com', how: 'homograph' });
  });

  it.each([
    [
      'uniswapexchange.org',
      ['unisvapexchange', 'uniswapexchang', 'uniswapexchangeqz', 'qniswapexchangz', 'nuiswapexchnage'],
    ],
    ['opensea.io', ['opensee', 'opensa', 'openseaq', 'opesnea']],
  ])('of %s are found whatever the edits are', (site, labels) => {
    const known = new KnownSites(['another-known-site.com', site]);
    for (const label of labels) expect(known.imitatedBy(`${label}.net`)).toEqual({ site, how: 'edit_distance' });
    expect(known.imitatedBy(`${labels[0]}xyz.net`)).toBeNull();
  });

  it('are looked for in long lists without keeping others waiting', () => {
    const labelOf = (number: number): string => (number * 2_654_435_761).toString(36);
    const known = new KnownSites(Array.from({ length: 50_000 }, (_, at) => `${labelOf(at)}.com`));
    const begun = performance.now();
    for (let look = 0; look < 100; look += 1) known.imitatedBy(`${labelOf(look + 50_000)}.net`);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});

describe('a list of sites', () => {
  it('is one name on a line, a hosts file, or the JSON of eth-phishing-detect', () => {
    expect(parseSiteList('Evil.example # bad\n\n0.0.0.0 worse.example\nnot a name!\n', 'blocked').blocked).toEqual([
      'evil.example',
      'worse.example',
    ]);
    expect(parseSiteList('{"blacklist":["a.example",7],"whitelist":["b.example"]}', 'allowed')).toEqual({
      blocked: ['a.example'],
      allowed: ['b.example'],
    });
    expect(() => parseSiteList('{"blacklist":', 'blocked')).toThrow();
  });

  it.each([
    '<html>\nevil.example\n</html>',
    '\ufeff<?xml version="1.0"?>',
    '{}',
    '{"error":"down"}',
    '{"blacklist":{},"whitelist":["b.example"]}',
    '["evil.example"]',
    'Service unavailable\n',
    '||evil.example^\n',
  ])('is not what something else is, which would leave it without names: %j', (text) => {
    expect(() => parseSiteList(text, 'blocked')).toThrow('no list of sites');
  });

  it('may be empty, and hold comments alone', () => {
    for (const text of ['', '# none yet\n\n', '{"blacklist":[]}']) {
      expect(parseSiteList(text, 'blocked')).toEqual({ blocked: [], allowed: [] });
    }
  });

  it('may name sites in letters of other scripts, which browsers send as others', () => {
    expect(parseSiteList('unіswap.org\nbücher.example', 'blocked').blocked).toEqual([
      'xn--unswap-qvf.org',
      'xn--bcher-kva.example',
    ]);
  });
});
