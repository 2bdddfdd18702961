import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/common/ids.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { auditOf } from '../support/audit.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { customNetwork } from '../support/surface/custom-network.js';
import { World } from '../support/world.js';

interface Network {
  id: string;
  chainId: string;
  [field: string]: unknown;
}
interface Chain {
  chainName: string;
  networks: Record<string, unknown>[];
}

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ env: { ROLE: 'api', EGRESS_ALLOW: 'node.open.internal' } });
});
afterAll(() => test.close());

const request = (more: object = {}) => ({ ...customNetwork('networks'), ...more });
const pathOf = (world: World, id = ''): string =>
  `/organizations/${world.ids.organizationId}/customNetworks${id && `/${id}`}`;

async function create(world: World, more: object = {}): Promise<Network> {
  const { body } = await world.owner.post<{ customNetwork: Network }>(pathOf(world), request(more), { expect: 201 });
  return body.customNetwork;
}

const listed = async (world: World): Promise<Network[]> =>
  (
    await world.owner.get<{ customNetworks: { customNetwork: Network }[] }>(pathOf(world), { expect: 200 })
  ).body.customNetworks.map(({ customNetwork: network }) => network);

const told = async (world: World): Promise<Chain[]> =>
  (await world.anonymous.get<Chain[]>(world.sdk('/networks'), { expect: 200 })).body;

async function refused(world: World, more: object): Promise<{ status: number; code: string; fields: unknown }> {
  const { status, body } = await world.owner.post<{ code: string; payload?: { fields?: unknown } }>(
    pathOf(world),
    request(more),
  );
  return { status, code: body.code, fields: body.payload?.fields };
}

describe('custom networks', () => {
  it('are created, read, changed and deleted, and each step is recorded', async () => {
    const world = await World.create(test);
    const { organizationId, consoleEnvironmentId, ownerUserId } = world.ids;
    const made = request();
    const { id } = await create(world, made);
    expect(await listed(world)).toEqual([{ id, ...made }]);
    const changed = { ...made, chainName: 'Renamed', nativeCurrencyDecimals: 6 };
    const answer = await world.owner.put(pathOf(world, id), changed, { expect: 200 });
    expect(answer.body).toEqual({ customNetwork: { id, ...changed } });
    expect((await world.owner.get(pathOf(world, id), { expect: 200 })).body).toEqual(answer.body);
    await world.owner.delete(pathOf(world, id), { expect: 204 });
    await world.owner.delete(pathOf(world, id), { expect: 404 });
    await world.owner.get(pathOf(world, id), { expect: 404 });
    await world.owner.put(pathOf(world, id), changed, { expect: 404 });
    expect(await listed(world)).toEqual([]);

    const records = await auditOf(test, organizationId, { resourceId: id });
    expect(records.map(({ action }) => action)).toEqual([
      'customNetwork.created',
      'customNetwork.updated',
      'customNetwork.deleted',
    ]);
    expect(records[1]).toMatchObject({
      actor: { kind: 'member', id: ownerUserId },
      changes: { chainName: ['networks', 'Renamed'], nativeCurrencyDecimals: [18, 6] },
    });
    const events = await eventsOf(test, consoleEnvironmentId, id);
    expect(events.map(({ name, data }) => [name, data])).toEqual([
      ['customNetwork.created', { organizationId, id, ...made }],
      ['customNetwork.updated', { organizationId, id, ...changed }],
      ['customNetwork.deleted', { organizationId, id, ...changed }],
    ]);
  });

  it('accept every text up to its limit, and nothing beyond', async () => {
    const world = await World.create(test);
    const url = (length: number): string => 'https://example.com/'.padEnd(length, 'x');
    const limits: Record<string, (length: number) => string> = {
      chainName: (length) => 'n'.repeat(length),
      chainId: (length) => '9'.repeat(length),
      nativeCurrencyName: (length) => 'c'.repeat(length),
      nativeCurrencySymbol: (length) => 'S'.repeat(length),
      rpcUrl: url,
      blockExplorerUrl: url,
      iconUrl: url,
      nativeCurrencyIconUrl: url,
    };
    for (const [field, text] of Object.entries(limits)) {
      const most = field.endsWith('Url') ? 255 : 100;
      for (const length of [most - 1, most]) {
        expect(await create(world, { [field]: text(length) })).toMatchObject({ [field]: text(length) });
      }
      expect(await refused(world, { [field]: text(most + 1) })).toMatchObject({
        status: 400,
        code: 'validation_failed',
        fields: expect.arrayContaining([expect.objectContaining({ field })]),
      });
    }
    for (const decimals of [0, 1, 17, 18]) await create(world, { nativeCurrencyDecimals: decimals });
    for (const decimals of [-1, 19]) {
      expect(await refused(world, { nativeCurrencyDecimals: decimals })).toMatchObject({
        status: 400,
        code: 'validation_failed',
      });
    }
    expect(await refused(world, { nativeCurrencyDecimals: 1.5 })).toMatchObject({
      status: 400,
      code: 'fractional_decimals',
    });
    for (const chainId of ['0x1', '007', '00', '-1', '1.0', '١', '']) {
      expect(await refused(world, { chainId })).toMatchObject({ status: 400, code: 'validation_failed' });
    }
    expect(await refused(world, { networkType: 'SUI' })).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  it.each([
    ['plain http', 'http://example.com', 'scheme'],
    ['another scheme', 'javascript:alert(1)', 'scheme'],
    ['no scheme', 'example.com', 'malformed'],
    ['a private address', 'https://10.0.0.1', 'address'],
    ['an address of instance metadata', 'https://169.254.169.254/latest', 'address'],
    ['a public address instead of a name', 'https://1.1.1.1', 'ip_literal'],
    ['this machine', 'https://localhost', 'host'],
    ['a name inside a network', 'https://node.internal', 'host'],
    ['another port', 'https://example.com:8545', 'port'],
    ['a user name', 'https://me:secret@example.com', 'credentials'],
    ['a fragment', 'https://example.com/#key', 'fragment'],
  ])('cannot be reached by %s', async (_, url, reason) => {
    const world = await World.create(test);
    for (const field of ['rpcUrl', 'blockExplorerUrl', 'iconUrl', 'nativeCurrencyIconUrl']) {
      const answer = await refused(world, { [field]: url });
      expect(answer).toMatchObject({ status: 400, code: 'network_url_refused' });
      expect(answer.fields).toEqual([expect.objectContaining({ field, reason })]);
    }
    expect(await listed(world)).toEqual([]);
    const { id } = await create(world);
    const changed = await world.owner.put<{ code: string }>(pathOf(world, id), request({ rpcUrl: url }));
    expect([changed.status, changed.body.code]).toEqual([400, 'network_url_refused']);
  });

  it('may be on hosts that the operator has opened', async () => {
    const world = await World.create(test);
    const rpcUrl = 'http://node.open.internal:8545';
    expect(await create(world, { rpcUrl })).toMatchObject({ rpcUrl });
  });

  it('have one number in their type, of fifty made at once', async () => {
    const world = await World.create(test);
    const one = request();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => world.owner.post<{ code: string }>(pathOf(world), one)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status, body }) => status === 422 && body.code === 'duplicate_exists')).toHaveLength(49);
    expect(await auditOf(test, world.ids.organizationId, { action: 'customNetwork.created' })).toHaveLength(1);
    // The same number in another type is another network; taking a number that is there is not possible later either.
    const other = await create(world, { ...one, networkType: 'SOL' });
    const taken = await world.owner.put<{ code: string }>(pathOf(world, other.id), one);
    expect([taken.status, taken.body.code]).toEqual([422, 'duplicate_exists']);
  });

  it('do not take the number of another when they are changed', async () => {
    const world = await World.create(test);
    const [first, second] = [await create(world, { chainId: '31337' }), await create(world, { chainId: '31338' })];
    const answer = await world.owner.put<{ code: string; hint: string }>(
      pathOf(world, second.id),
      request({ chainId: '31337' }),
    );
    expect([answer.status, answer.body.code]).toEqual([422, 'duplicate_exists']);
    expect(answer.body.hint).toContain('networkType and chainId');
    expect(await listed(world)).toEqual([first, second]);
  });

  it('have one number as EVM and ETH, which are one chain: of twenty made at once, and later', async () => {
    const world = await World.create(test);
    const one = request();
    const types = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 'ETH' : 'EVM'));
    const answers = await Promise.all(
      types.map((networkType) => world.owner.post<{ code: string }>(pathOf(world), { ...one, networkType })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status, body }) => status === 422 && body.code === 'duplicate_exists')).toHaveLength(19);
    const [kept] = await listed(world);
    const twin = kept!['networkType'] === 'ETH' ? 'EVM' : 'ETH';
    const other = await create(world, { networkType: twin });
    const taken = await world.owner.put<{ code: string }>(pathOf(world, other.id), { ...one, networkType: twin });
    expect([taken.status, taken.body.code]).toEqual([422, 'duplicate_exists']);
    await world.owner.put(pathOf(world, kept!.id), { ...one, networkType: twin }, { expect: 200 });
    const moves = [kept!.id, other.id].map((id, at) =>
      world.owner.put<{ code: string }>(pathOf(world, id), { ...one, networkType: types[at], chainId: '31339' }),
    );
    expect((await Promise.all(moves)).map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  it('are a hundred at most, of fifty made at once where ten fit', async () => {
    const world = await World.create(test);
    const { organizationId } = world.ids;
    await rowsOf(
      test,
      `INSERT INTO custom_networks (organization_id, id, network_type, chain_name, chain_id, rpc_url, block_explorer_url,
         icon_url, native_currency_name, native_currency_symbol, native_currency_icon_url, native_currency_decimals)
       SELECT $1, gen_random_uuid(), 'EVM', 'n', n::text, 'u', 'u', 'u', 'n', 's', 'u', 18 FROM generate_series(1, 90) n`,
      [organizationId],
    );
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => world.owner.post<{ code: string }>(pathOf(world), request())),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body.code))).toEqual(
      new Set(['too_many_custom_networks']),
    );
    const { result, statements } = await countStatements(() => listed(world));
    expect(result).toHaveLength(100);
    expect(statements.filter((text) => text.includes('custom_networks'))).toHaveLength(1);
  });

  it('of another organization do not exist', async () => {
    const [mine, theirs] = [await World.create(test), await World.create(test)];
    const { id } = await create(theirs);
    await mine.owner.get(pathOf(mine, id), { expect: 404 });
    await mine.owner.put(pathOf(mine, id), request(), { expect: 404 });
    await mine.owner.delete(pathOf(mine, id), { expect: 404 });
    expect(await listed(theirs)).toHaveLength(1);
    expect(await auditOf(test, theirs.ids.organizationId, { resourceId: id })).toHaveLength(1);
  });
});

describe('the networks of an environment', () => {
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_050));
  const setChains = (world: World, chains: object[]) =>
    rowsOf(
      test,
      `UPDATE environment_settings SET settings = jsonb_set(settings::jsonb, '{chains}', $2::jsonb)
       WHERE environment_id = $1`,
      [world.environmentId, JSON.stringify(chains)],
    );

  it('are those its settings enable, told to anyone and in the settings alike', async () => {
    const world = await World.create(test);
    const networks = await told(world);
    expect(networks.map(({ chainName, networks: of }) => [chainName, of.map(({ key }) => key)])).toEqual([
      ['evm', ['eip155:11155111', 'eip155:1']],
      ['solana', ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp']],
    ]);
    const settings = await world.anonymous.get<{ networks: Chain[] }>(world.sdk('/settings'), { expect: 200 });
    expect(settings.body.networks).toEqual(networks);
    await world.anonymous.get(world.sdk('/networks', newId()), { expect: 404 });
  });

  it('are refused where nobody knows them, with all else that the change brings', async () => {
    const world = await World.create(test);
    const path = `/environments/${world.environmentId}`;
    const enable = (networkId: number, type?: string) => {
      const networks = [{ networkId, chainName: 'Ours', enabled: true, ...(type && { type }) }];
      return world.owner.put<{ code: string; payload?: { fields: object[] } }>(path, {
        chains: [{ name: 'EVM', enabled: true, networks }],
      });
    };
    const { status, body } = await enable(424_242);
    expect([status, body.code]).toEqual([422, 'setting_not_available']);
    expect(body.payload?.fields).toEqual([
      { field: 'chains', message: expect.stringContaining('EVM has no network 424242') },
    ]);
    expect((await told(world))[0]?.networks).toHaveLength(2);
    expect((await enable(424_242, 'custom')).status).toBe(200);
    expect((await enable(10)).status).toBe(200);
  });

  it.each(['evm', 'ETH', 'NEAR'])('are of chains that exist, under the name of the settings: not %s', async (name) => {
    const world = await World.create(test);
    const change = (enabled: boolean) => {
      const sdk = { embeddedWallets: { chainConfigurations: [{ name, enabled, primary: true }] } };
      return world.owner.put<{ code: string; payload?: { fields: object[] } }>(`/environments/${world.environmentId}`, {
        ...{ chains: [{ name, enabled, networks: [] }], sdk },
      });
    };
    const { status, body } = await change(true);
    expect([status, body.code]).toEqual([422, 'setting_not_available']);
    const message = expect.stringMatching(`^no chain is called ${name} here: the names are EVM, `);
    expect(body.payload?.fields).toEqual([
      { field: 'chains', message },
      { field: 'sdk.embeddedWallets.chainConfigurations', message },
    ]);
    expect((await change(false)).status).toBe(200);
  });

  it.each([
    ['rpcUrl', 'not a url', 'This is not a valid absolute URL.'],
    ['rpcUrl', 'ws://node.open.internal:8546', 'The URL must start with https://.'],
    ['rpcUrl', 'https://10.0.0.1/', 'The host must lead to a public address.'],
    ['rpcUrl', 'https://node.example.com:8545', 'This port is not allowed.'],
    ['iconUrl', 'javascript:alert(1)', 'iconUrl must begin with https:// or http://'],
  ])(
    'have addresses that somebody can use, so that no other is taken in silence: %s %s',
    async (field, url, reason) => {
      const world = await World.create(test);
      const change = (name: string, address: string) => {
        const networks = [{ networkId: 1, chainName: 'Ours', enabled: false, [field]: address }];
        return world.owner.put<{ code: string; payload?: { fields: object[] } }>(
          `/environments/${world.environmentId}`,
          {
            chains: [{ name, enabled: true, networks }],
          },
        );
      };
      const { status, body } = await change('EVM', url);
      expect([status, body.code]).toEqual([422, 'setting_not_available']);
      expect(body.payload?.fields).toEqual([
        {
          field: 'chains',
          message: expect.stringMatching(`^network 1 of EVM: .*${reason.replaceAll(/[().]/g, '\\$&')}$`),
        },
      ]);
      for (const address of ['http://node.open.internal:8545', ''])
        expect((await change('EVM', address)).status).toBe(200);
      // The service asks no node of this chain.
      expect((await change('COSMOS', url)).status).toBe(field === 'rpcUrl' ? 200 : 422);
    },
  );

  it('include custom networks from the second after they are enabled until they are deleted', async () => {
    const world = await World.create(test);
    const network = await create(world);
    const foreign = await create(await World.create(test));
    const entry = { chainName: 'Ours', enabled: true, type: 'custom' };
    const networks = [network, foreign].map(({ chainId }) => ({ ...entry, networkId: Number(chainId) }));
    expect((await told(world)).flatMap(({ networks: of }) => of.map(({ chainId }) => chainId))).not.toContain(
      network.chainId,
    );
    await setChains(world, [{ name: 'EVM', enabled: true, networks }]);
    await settle();
    const { result, statements } = await countStatements(() => told(world));
    expect(result).toEqual([
      { chainName: 'evm', networks: [expect.objectContaining({ name: 'networks', chainId: network.chainId })] },
    ]);
    expect(statements.filter((text) => text.includes('custom_networks'))).toHaveLength(1);
    const again = await countStatements(
      () => told(world),
      () => told(world),
    );
    expect(again.statements).toEqual([]);
    await world.owner.delete(pathOf(world, network.id), { expect: 204 });
    await settle();
    expect(await told(world)).toEqual([]);
  });
});
