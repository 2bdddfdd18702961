import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SiteLists } from '../../src/networks/scan/site-lists.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { VendorServer, type VendorReply } from '../support/vendor-server.js';
import { newEmail, World } from '../support/world.js';

interface Verdict {
  isMalicious: boolean | null;
  reason: string;
  looksLike?: string;
  code?: string;
}

let vendors: VendorServer;
let folder: string;
/** What is answered in place of the list. */
let instead: VendorReply | null = null;

beforeAll(async () => {
  vendors = await VendorServer.start({
    blocked: () =>
      instead ?? {
        json: {
          version: 2,
          blacklist: ['evil.example', 'drainer.pages.dev'],
          whitelist: ['ledger.com'],
          fuzzylist: [],
        },
      },
    blockaid: ({ body }) => {
      const { url } = JSON.parse(body) as { url: string };
      return {
        json: url.includes('unseen') ? { status: 'miss' } : { status: 'hit', is_malicious: url.includes('bad') },
      };
    },
  });
  folder = await mkdtemp(join(tmpdir(), 'lists-'));
  await writeFile(join(folder, 'allow.txt'), '# good ones\nuniswap.org\nopensea.io\nmetamask.io\n');
});
afterAll(async () => {
  await vendors.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  vendors.forget();
  instead = null;
});

async function scanning(
  env: Record<string, string>,
): Promise<{ scan: (url: string, expect?: number) => Promise<Verdict>; test: TestApp }> {
  const test = await startTestApp({ env: { ROLE: 'api', ...env } });
  const world = await World.create(test);
  const { jwt } = await world.signIn(newEmail());
  const client = world.anonymous.withToken(jwt);
  return {
    test,
    scan: async (url, expect = 200) =>
      (await client.post<Verdict>(world.sdk('/scan/websiteUrl'), { url }, { expect })).body,
  };
}

describe('the scan of a site by lists', () => {
  let test: TestApp;
  let scan: Awaited<ReturnType<typeof scanning>>['scan'];
  beforeAll(async () => {
    ({ test, scan } = await scanning({
      SCAN_BLOCK_LISTS: `${vendors.origin}/blocked`,
      SCAN_ALLOW_LISTS: join(folder, 'allow.txt'),
    }));
  });
  afterAll(() => test.close());

  it.each([
    ['https://evil.example/claim', true, 'block_list'],
    ['https://deep.within.evil.example', true, 'block_list'],
    ['http://DRAINER.pages.dev/', true, 'block_list'],
    ['https://other.pages.dev/', null, 'unknown'],
    ['https://app.uniswap.org/swap', false, 'allow_list'],
    ['https://ledger.com', false, 'allow_list'],
    ['https://uniswap.org@evil-two.example/', true, 'credentials_in_url'],
    ['https://unіswap.org/', true, 'homograph'],
    ['https://xn--unswap-qvf.org/', true, 'homograph'],
    ['https://0pensea.io/', true, 'homograph'],
    ['https://metarnask.io/', true, 'homograph'],
    ['https://unisvvap.org/', true, 'homograph'],
    ['https://uniiswap.org/', true, 'edit_distance'],
    ['https://metamsak.io/', true, 'edit_distance'],
    ['https://uniswap.com/', null, 'unknown'],
    ['https://example.com/', null, 'unknown'],
  ])('%s is %s by %s', async (url, isMalicious, reason) => {
    expect(await scan(url)).toMatchObject({ isMalicious, reason });
  });

  it.each<VendorReply>([
    { text: '<html>\nBe back soon\n' },
    { text: 'upstream timed out' },
    { text: '' },
    { json: {} },
  ])('keeps its list when the address answers %j in its place', async (reply) => {
    instead = reply;
    Object.assign(test.app.get(SiteLists), { validUntil: -Infinity });
    expect(await scan('https://evil.example/claim')).toEqual({ isMalicious: true, reason: 'block_list' });
    expect(vendors.count('blocked')).toBe(1);
  });

  it('names the site that another one is made to look like', async () => {
    expect((await scan('https://0pensea.io/')).looksLike).toBe('opensea.io');
  });

  it.each(['javascript:alert(1)', 'nonsense', 'ftp://evil.example/'])('is refused for %s', async (url) => {
    expect((await scan(url, 400)).code).toBe('not_a_web_address');
  });

  it('never opens the address', async () => {
    await scan(`${vendors.origin}/visited`);
    expect(vendors.count('visited')).toBe(0);
  });
});

describe('the scan of a site by a service', () => {
  it('asks it once for a hundred at once, without the query of the address, about what no list knows', async () => {
    const env = {
      BLOCKAID_API_KEY: 'canary-key',
      PROVIDER_ADDRESSES: JSON.stringify({ blockaid: { api: `${vendors.origin}/blockaid` } }),
    };
    const { test, scan } = await scanning(env);
    const all = await Promise.all(Array.from({ length: 100 }, () => scan('https://bad.example/x?token=secret#more')));
    expect(all.every(({ isMalicious, reason }) => isMalicious === true && reason === 'vendor')).toBe(true);
    expect(vendors.calls).toHaveLength(1);
    expect(vendors.calls[0]).toMatchObject({ path: '/blockaid/site/scan', headers: { 'x-api-key': 'canary-key' } });
    expect(JSON.parse(vendors.calls[0]!.body)).toMatchObject({ url: 'https://bad.example/x' });
    expect(await scan('https://good.example/')).toEqual({ isMalicious: false, reason: 'vendor' });
    expect(await scan('https://unseen.example/')).toEqual({ isMalicious: null, reason: 'unknown' });
    for (const mood of ['down', 'garbage', 'rate-limited'] as const) {
      vendors.moods.set('blockaid', mood);
      const answer = await scan(`https://${mood}.example/`, 503);
      expect([answer.code, JSON.stringify(answer).includes('canary')]).toEqual(['vendor_unavailable', false]);
    }
    await test.close();
  });

  it('is refused where there is nothing to judge by', async () => {
    const { test, scan } = await scanning({});
    expect((await scan('https://example.com/', 422)).code).toBe('scanner_not_configured');
    await test.close();
  });
});
