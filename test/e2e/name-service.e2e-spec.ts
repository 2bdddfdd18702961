import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  decodeAbiParameters,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  namehash,
  pad,
  parseAbi,
  serializeErc6492Signature,
  serializeErc8010Signature,
  toHex,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem';
import { decodeJwt } from 'jose';
import { packetToBytes } from 'viem/ens';
import { Clock } from '../../src/common/clock.js';
import { UnitOfWork } from '../../src/database/index.js';
import { KeyRotation } from '../../src/custody/index.js';
import { UserFacets } from '../../src/identity/index.js';
import { generateMasterKey } from '../../src/vault/index.js';
import { ENS_REGISTRY } from '../../src/networks/index.js';
import { Anvil } from '../support/anvil.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { auditOf } from '../support/audit.js';
import { compiled } from '../support/contracts-evm/compiled.js';
import { addNetwork, useNodes } from '../support/chain-tenant.js';
import { createDatabase, type TestDatabase } from '../support/postgres.js';
import { RpcNode } from '../support/rpc-node.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { word } from '../support/surface/records.js';
import { addSite, keySignIn, newKey, NETWORK } from '../support/wallet-sign-in.js';
import { newEmail, World } from '../support/world.js';

interface Refusal {
  code?: string;
}
interface Settings extends Refusal {
  id: string;
  domain: string;
  address: string;
  enabledAt: string | null;
  signerAddress?: Address;
  gatewayUrl: string;
}
type Key = ReturnType<typeof newKey>;

const URI = 'https://console.example.com/names';
const RESOLVER = parseAbi([
  'function resolve(bytes name, bytes data) view returns (bytes)',
  'function resolveWithProof(bytes response, bytes question) view returns (bytes)',
  'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
]);
const ADDR = parseAbi(['function addr(bytes32 node) view returns (address)']);

const env = () => ({
  ...{ ROLE: 'api', EGRESS_ALLOW: '127.0.0.1' },
  PROVIDER_ADDRESSES: JSON.stringify({ ethereum: { api: node.url } }),
});
const masterKey = generateMasterKey();

let database: TestDatabase;
let test: TestApp;
let anvil: Anvil;
let node: RpcNode;

beforeAll(async () => {
  anvil = await (await Anvil.start()).withMulticall();
  await anvil.place('NameRegistry', ENS_REGISTRY);
  node = await RpcNode.before(anvil.url, 1);
  database = await createDatabase();
  test = await startTestApp({ databaseUrl: database.url, masterKey, env: env() });
}, 120_000);
afterAll(async () => {
  await test.close();
  await database.drop();
  await node.close();
  await anvil.close();
});
beforeEach(() => {
  node.mood = 'well';
});

/** Moves what the service takes for the time in memory, so that no answer of the chain is remembered. */
let offset = 0;
function ahead(): void {
  offset += 61_000;
  test.app.get(Clock).timestamp = () => Date.now() + offset;
}

async function tenant(): Promise<World> {
  const world = await World.create(test);
  await addSite(world);
  await useNodes(world, { EVM: { 1: node.url, [NETWORK]: node.url } });
  return world;
}
const at = (world: World, rest = '', chain = 'EVM'): string => world.path(`/nameService/${chain}${rest}`);
const own = (domain: string, owner: Address): Promise<void> =>
  anvil.send('NameRegistry', ENS_REGISTRY, 'setOwner', [namehash(domain), owner]);
const newDomain = (): string => `${word().toLowerCase()}.eth`;

async function message(world: World, domain: string, address: string): Promise<string> {
  const request = { domain, address, uri: URI };
  const { body } = await world.api.post<{ unsignedMessage: string }>(at(world, '/signingMessage'), request, {
    expect: 200,
  });
  return body.unsignedMessage;
}
async function create(world: World, domain: string, key: Key, signed?: string) {
  const text = await message(world, domain, key.address);
  const signature = await key.signMessage({ message: signed ?? text });
  return world.api.post<Settings>(at(world), { domain, address: key.address, signature });
}
/** A tenant whose domain is enabled. */
async function named(domain = newDomain()): Promise<{ world: World; domain: string; settings: Settings; key: Key }> {
  const [world, key] = [await tenant(), newKey()];
  await own(domain, key.address);
  expect((await create(world, domain, key)).status).toBe(201);
  const enabled = await world.api.put<Settings>(at(world, '/enable'), undefined, { expect: 200 });
  return { world, domain, settings: enabled.body, key };
}

/** Somebody who has signed in with a wallet. */
async function person(world: World, key = newKey()): Promise<{ jwt: string; userId: string; address: Address }> {
  const body = await keySignIn(world, key);
  const answer = await world.anonymous.post<{ jwt: string; user: { id: string } }>(world.sdk('/verify'), body, {
    expect: 200,
  });
  return { jwt: answer.body.jwt, userId: answer.body.user.id, address: key.address };
}
const claim = (world: World, jwt: string, handle: string, address: string) =>
  world.anonymous.withToken(jwt).put<Refusal & { name?: string }>(world.sdk('/users/names'), { handle, address });

describe('a domain', () => {
  it('is given to an environment by the signature of its owner, and is not enabled yet', async () => {
    const [world, key, domain] = [await tenant(), newKey(), newDomain()];
    await own(domain, key.address);
    expect((await world.api.get(at(world))).status).toBe(404);
    const text = await message(world, domain.toUpperCase(), key.address.toLowerCase());
    expect(text).toContain(`I own ${domain} and let the environment ${world.environmentId} give out names below it.`);
    const signature = await key.signMessage({ message: text });
    const request = { domain, address: key.address, signature };
    const made = await world.api.post<Settings>(at(world), request, { expect: 201 });
    expect(made.body).toMatchObject({ domain, address: key.address, enabledAt: null });
    expect((await world.api.get<Settings>(at(world, '', 'ETH'), { expect: 200 })).body).toEqual(made.body);
    expect((await create(world, domain, key)).body.code).toBe('name_service_exists');
    const { organizationId } = world.ids;
    expect(await auditOf(test, organizationId, { action: 'nameService.created' })).toHaveLength(1);
    await world.api.delete(at(world), { expect: 204 });
    // The message was good once.
    expect((await world.api.post<Settings>(at(world), request)).body.code).toBe('invalid_name_proof');
  });

  it('is refused to whoever does not own it, or signs something else', async () => {
    const [world, key, domain] = [await tenant(), newKey(), newDomain()];
    expect((await create(world, domain, key)).body.code).toBe('not_domain_owner');
    ahead();
    await own(domain, key.address);
    expect((await create(world, domain, key, 'I own it.')).body.code).toBe('invalid_name_proof');
    const text = await message(world, domain, key.address);
    const signature = await newKey().signMessage({ message: text });
    const send = (body: object) =>
      world.api.post<Settings>(at(world), { domain, address: key.address, signature, ...body });
    expect((await send({})).body.code).toBe('invalid_name_proof');
    const right = await key.signMessage({ message: await message(world, domain, key.address) });
    expect((await send({ signature: right, domain: `www.${domain}` })).body.code).toBe('invalid_name_proof');
    await rowsOf(test, 'UPDATE name_service_proofs SET expires_at = now() WHERE environment_id = $1', [
      world.environmentId,
    ]);
    expect((await send({ signature: right })).body.code).toBe('invalid_name_proof');
    expect((await send({ domain: 'no domain' })).body.code).toBe('invalid_domain');
    expect((await create(world, domain, key)).status).toBe(201);
  });

  it('is signed for on a page that wallets can name, and on no other', async () => {
    const [world, domain, { address }] = [await tenant(), newDomain(), newKey()];
    const on = (uri: string) => world.api.post<Refusal>(at(world, '/signingMessage'), { domain, address, uri });
    for (const uri of [URI, 'http://localhost:3000/', 'https://127.0.0.1:8443/names?of=us#all'])
      expect((await on(uri)).status).toBe(200);
    for (const uri of ['ftp://example.com/', 'http://[::1]/', 'http://console/', 'https://example.com/?names=a|b'])
      expect(await on(uri)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('is nobody’s while the chain cannot be read', async () => {
    const [world, key, domain] = [await tenant(), newKey(), newDomain()];
    await own(domain, key.address);
    for (const mood of ['down', 'garbage', 'rate-limited'] as const) {
      node.mood = mood;
      const answer = await create(world, domain, key);
      expect([answer.status, answer.body.code]).toEqual([422, 'domain_unreadable']);
    }
  });

  it('is nobody’s by the word of a node that their own environment has chosen', async () => {
    const { world, domain } = await named();
    const thief = newKey();
    const answers: Record<string, string> = { eth_chainId: '0x1', eth_call: pad(thief.address) };
    const liar = await RpcNode.start(({ method }) => ({ result: answers[method] ?? '0x' }));
    const other = await tenant();
    await useNodes(other, { EVM: { 1: liar.url } });
    await addNetwork(other, 'EVM', 1, liar.url);
    await world.api.put(at(world, '/disable'), undefined, { expect: 200 });
    ahead();
    expect((await create(other, domain, thief)).body.code).toBe('not_domain_owner');
    expect(liar.requests).toBe(0);
    await liar.close();
  });

  it('that is wrapped belongs to whoever the wrapper says', async () => {
    const [world, key, domain] = [await tenant(), newKey(), newDomain()];
    const wrapper = await anvil.deploy('NameWrapper');
    await own(domain, wrapper);
    expect((await create(world, domain, key)).body.code).toBe('not_domain_owner');
    ahead();
    await anvil.send('NameWrapper', wrapper, 'set', [BigInt(namehash(domain)), key.address]);
    expect((await create(world, domain, key)).status).toBe(201);
  });

  describe('that a contract owns', () => {
    const sent = (world: World, domain: string, address: Address, signature: Hex) =>
      world.api.post<Settings>(at(world), { domain, address, signature });

    it('is given by the word of the contract (ERC-1271), and by no key and no node that is away', async () => {
      const [world, key, domain] = [await tenant(), newKey(), newDomain()];
      const wallet = await anvil.deploy('Wallet', [key.address]);
      await own(domain, wallet);
      const signedBy = async (signer: Key) => signer.signMessage({ message: await message(world, domain, wallet) });
      expect((await sent(world, domain, wallet, await signedBy(newKey()))).body.code).toBe('invalid_name_proof');
      const signature = await signedBy(key);
      node.mood = 'down';
      expect((await sent(world, domain, wallet, signature)).body.code).toBe('domain_unreadable');
      node.mood = 'well';
      expect((await sent(world, domain, wallet, await signedBy(key))).status).toBe(201);
    });

    it('is not given by a wrapper that first makes somebody else its signer (ERC-6492, ERC-8010)', async () => {
      const [world, victim, thief] = [await tenant(), newKey(), newKey()];
      const open = await anvil.deploy('OpenWallet');
      const { abi } = compiled('OpenWallet');
      const data = encodeFunctionData({ abi, functionName: 'initialize', args: [thief.address] });
      const refusal = async (owner: Address, wrap: (signature: Hex) => Hex): Promise<unknown> => {
        const domain = newDomain();
        await own(domain, owner);
        const signature = await thief.signMessage({ message: await message(world, domain, owner) });
        return (await sent(world, domain, owner, wrap(signature))).body.code;
      };
      const authorization = await victim.signAuthorization({ contractAddress: open, chainId: 0, nonce: 0 });
      const delegated = (signature: Hex) => serializeErc8010Signature({ authorization, data, signature });
      expect(await refusal(victim.address, delegated)).toBe('invalid_name_proof');
      const prepared = (signature: Hex) => serializeErc6492Signature({ address: open, data, signature });
      expect(await refusal(open, prepared)).toBe('invalid_name_proof');
      const echo = await anvil.deploy('Echo');
      expect(await refusal(echo, (signature) => signature)).toBe('invalid_name_proof');
    });
  });

  it('of another chain is refused, and there is none on what is no chain', async () => {
    const world = await tenant();
    for (const chain of ['SOL', 'BTC']) {
      const answer = await world.api.get<Refusal>(at(world, '', chain));
      expect([answer.status, answer.body.code]).toEqual([422, 'name_service_not_supported']);
    }
    expect((await world.api.get(at(world, '', 'XYZ'))).status).toBe(404);
  });

  it('is told to applications while it is enabled, and may be absent from settings that are sent back', async () => {
    const { world, domain } = await named();
    const told = async () => {
      // Settings are at most a second old.
      await new Promise((resolve) => setTimeout(resolve, 1_050));
      const { body } = await world.api.get<{ sdk: object }>(world.sdk('/settings'), { expect: 200 });
      return body.sdk;
    };
    expect(await told()).toMatchObject({ nameService: { evm: { domain } } });
    const { settings } = (await world.owner.get<{ settings: object }>(world.path(''), { expect: 200 })).body;
    await world.owner.put(world.path(''), settings, { expect: 200 });
    await world.api.put(at(world, '/disable'), undefined, { expect: 200 });
    expect(await told()).toMatchObject({ nameService: { evm: {} } });
    expect(await told()).not.toHaveProperty('nameService.evm.domain');
  });

  it('that was sold is not enabled, and one environment at a time has it', async () => {
    const { world, domain, settings, key } = await named();
    expect(settings).toMatchObject({ domain, signerAddress: expect.stringMatching(/^0x/) });
    const gateway = `/api/v0${world.sdk('/nameService/{sender}/{data}')}`;
    expect(settings.gatewayUrl).toMatch(/^https?:/);
    expect(settings.gatewayUrl.endsWith(gateway)).toBe(true);
    const again = await Promise.all(
      Array.from({ length: 50 }, () => world.api.put<Settings>(at(world, '/enable'), undefined, { expect: 200 })),
    );
    expect(new Set(again.map(({ body }) => body.signerAddress))).toEqual(new Set([settings.signerAddress]));
    const other = await tenant();
    expect((await create(other, domain, key)).status).toBe(201);
    expect((await other.api.put<Refusal>(at(other, '/enable'))).body.code).toBe('domain_in_use');
    await world.api.put(at(world, '/disable'), undefined, { expect: 200 });
    await own(domain, newKey().address);
    ahead();
    expect((await other.api.put<Refusal>(at(other, '/enable'))).body.code).toBe('not_domain_owner');
    await own(domain, key.address);
    ahead();
    await other.api.put(at(other, '/enable'), undefined, { expect: 200 });
    const secrets = await rowsOf(
      test,
      'SELECT sealed_key FROM name_services WHERE sealed_key IS NULL AND enabled_at IS NOT NULL',
    );
    expect(secrets).toEqual([]);
  });
});

describe('a name', () => {
  it('is one wallet’s: of fifty who want it at once one gets it', async () => {
    const { world, domain } = await named();
    const people = await Promise.all(Array.from({ length: 10 }, () => person(world)));
    const asked = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const { jwt, address } = people[index % 10]!;
        return claim(world, jwt, 'Ann', address);
      }),
    );
    const winners = new Set(asked.flatMap(({ status }, index) => (status === 200 ? [index % 10] : [])));
    expect(winners.size).toBe(1);
    expect(asked.filter(({ status }) => status !== 200).every(({ body }) => body.code === 'name_taken')).toBe(true);
    expect(asked.find(({ status }) => status === 200)!.body.name).toBe(`ann.${domain}`);
    const told = (await eventsOf(test, world.environmentId)).filter(({ name }) => name === 'user.name.claimed');
    expect(told).toHaveLength(1);
  });

  it('is never given to the address of somebody else, or one that is only stated', async () => {
    const { world } = await named();
    const [ann, bob] = [await person(world), await person(world)];
    expect((await claim(world, bob.jwt, 'theirs', ann.address)).body.code).toBe('wallet_not_proven');
    const wallet = { chain: 'EVM', walletName: 't', walletProvider: 'browserExtension' };
    const stated = { ...wallet, publicWalletAddress: ann.address };
    await world.api.post(world.path(`/users/${bob.userId}/wallets`), stated, { expect: 201 });
    expect((await claim(world, bob.jwt, 'theirs', ann.address)).body.code).toBe('wallet_not_proven');
    expect((await claim(world, ann.jwt, 'mine', ann.address)).status).toBe(200);
    expect((await claim(world, ann.jwt, 'mine', ann.address.toLowerCase())).status).toBe(200);
    expect((await claim(world, ann.jwt, 'other', ann.address)).body.code).toBe('wallet_has_name');
    expect((await claim(world, bob.jwt, 'mine', bob.address)).body.code).toBe('name_taken');
    for (const handle of ['a.b.c', 'ann lee', 'xn--ann', 'аnn']) {
      expect((await claim(world, bob.jwt, handle, bob.address)).body.code).toBe('invalid_handle');
    }
    const off = await tenant();
    expect((await claim(off, (await off.signIn(newEmail())).jwt, 'mine', ann.address)).status).toBe(404);
  });

  it('is free again when it is released or its wallet goes, and users can ask which are', async () => {
    const { world } = await named();
    const [ann, bob] = [await person(world), await person(world)];
    const isFree = async (jwt: string, handle: string): Promise<unknown> => {
      const query = `filter[field]=name-service-subdomain-handle&filter[value]=${handle}`;
      const { body } = await world.anonymous
        .withToken(jwt)
        .get<{ available: boolean }>(world.sdk(`/users/check?${query}`), { expect: 200 });
      return body.available;
    };
    await claim(world, ann.jwt, 'ann', ann.address);
    expect([await isFree(bob.jwt, 'ann'), await isFree(bob.jwt, 'bob')]).toEqual([false, true]);
    const path = world.sdk('/users/names/ann');
    expect((await world.anonymous.withToken(bob.jwt).delete(path)).status).toBe(404);
    await world.anonymous.withToken(ann.jwt).delete(path, { expect: 204 });
    expect((await claim(world, bob.jwt, 'ann', bob.address)).status).toBe(200);
    await rowsOf(test, 'DELETE FROM users WHERE id = $1', [bob.userId]);
    expect(await isFree(ann.jwt, 'ann')).toBe(true);
  });

  it('is released alone: another wallet of the same user keeps its own', async () => {
    const { world } = await named();
    const ann = await person(world);
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM'] }];
    const made = { token: ann.jwt, expect: 201 };
    await world.anonymous.post(world.sdk('/users/embeddedWallets'), { embeddedWallets }, made);
    const { body } = await world.api.get<{ user: { wallets: { publicKey: string }[] } }>(
      world.path(`/users/${ann.userId}`),
    );
    const second = body.user.wallets.find(({ publicKey }) => publicKey !== ann.address)!.publicKey;
    expect((await claim(world, ann.jwt, 'first', ann.address)).status).toBe(200);
    expect((await claim(world, ann.jwt, 'second', second)).status).toBe(200);
    await world.anonymous.withToken(ann.jwt).delete(world.sdk('/users/names/first'), { expect: 204 });
    const left = 'SELECT handle FROM wallet_names WHERE environment_id = $1';
    expect(await rowsOf(test, left, [world.environmentId])).toEqual([{ handle: 'second' }]);
  });

  it('is shown with the credential of its wallet, in tokens too, while the environment gives names out', async () => {
    const { world, domain } = await named();
    const ann = await person(world);
    const wallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM'] }];
    const path = world.sdk('/users/embeddedWallets');
    await world.anonymous.post(path, { embeddedWallets: wallets }, { token: ann.jwt, expect: 201 });
    interface Shown {
      verifiedCredentials: { address?: string; name_service?: object; embedded_wallet_id?: string }[];
      wallets: object[];
    }
    const shown = async (): Promise<Shown> =>
      (await world.api.get<{ user: Shown }>(world.path(`/users/${ann.userId}`), { expect: 200 })).body.user;
    const names = async () =>
      (await shown()).verifiedCredentials.map((one) => [one.embedded_wallet_id ? 'embedded' : 'own', one.name_service]);
    expect(await names()).toEqual([
      ['own', undefined],
      ['embedded', undefined],
    ]);
    const embedded = (await shown()).verifiedCredentials[1]!.address!;
    expect((await claim(world, ann.jwt, 'ann', ann.address)).status).toBe(200);
    expect((await claim(world, ann.jwt, 'bee', embedded)).status).toBe(200);
    expect(await names()).toEqual([
      ['own', { name: `ann.${domain}` }],
      ['embedded', { name: `bee.${domain}` }],
    ]);
    expect(JSON.stringify((await shown()).wallets)).not.toContain(domain);
    const { body } = await world.anonymous.post<{ jwt: string }>(world.sdk('/refresh'), undefined, {
      token: ann.jwt,
      expect: 200,
    });
    expect(decodeJwt(body.jwt)['verified_credentials']).toEqual(
      expect.arrayContaining([expect.objectContaining({ name_service: { name: `ann.${domain}` } })]),
    );
    await world.api.put(at(world, '/disable'), undefined, { expect: 200 });
    expect(await names()).toEqual([
      ['own', undefined],
      ['embedded', undefined],
    ]);
  });

  it('stays with its wallet when two users become one', async () => {
    const { world, domain, settings } = await named();
    const [ann, bob] = [await person(world), await person(world)];
    await claim(world, ann.jwt, 'ann', ann.address);
    await test.app
      .get(UnitOfWork)
      .run((tx) =>
        test.app.get(UserFacets).merge(world.environmentId, { fromUserId: ann.userId, userId: bob.userId }, tx),
      );
    await rowsOf(test, 'UPDATE credentials SET user_id = $2 WHERE user_id = $1', [ann.userId, bob.userId]);
    await rowsOf(test, 'DELETE FROM users WHERE id = $1', [ann.userId]);
    const resolver = await resolverOf(world, settings.signerAddress!);
    expect(await lookUp(resolver, `ann.${domain}`)).toBe(ann.address);
    const released = await world.anonymous.withToken(bob.jwt).delete(world.sdk('/users/names/ann'));
    expect(released.status).toBe(204);
  });
});

/** A resolver on the chain that asks the gateway of the environment. */
const resolverOf = (world: World, signer: Address, url = test.url): Promise<Address> =>
  anvil.deploy('OffchainNames', [`${url}/api/v0${world.sdk('/nameService/{sender}/{data}.json')}`, signer]);

const questionOf = (name: string): [Hex, Hex] => [
  toHex(packetToBytes(name)),
  encodeFunctionData({ abi: ADDR, args: [namehash(name)] }),
];

/** What a client of the chain that knows ERC-3668 finds. */
async function lookUp(resolver: Address, name: string): Promise<Address> {
  const args = questionOf(name);
  const data = await anvil.client.readContract({ address: resolver, abi: RESOLVER, functionName: 'resolve', args });
  return getAddress(decodeFunctionResult({ abi: ADDR, data }));
}

describe('the gateway', () => {
  it('lets any client of the chain find a wallet by its name, and nobody by a name that nobody has', async () => {
    const { world, domain, settings } = await named();
    const ann = await person(world);
    await claim(world, ann.jwt, 'ann', ann.address);
    const resolver = await resolverOf(world, settings.signerAddress!);
    expect(await lookUp(resolver, `ann.${domain}`)).toBe(ann.address);
    expect(await lookUp(resolver, `bob.${domain}`)).toBe(zeroAddress);
    expect(await lookUp(resolver, domain)).toBe(zeroAddress);
    expect(await lookUp(resolver, `x.ann.${domain}`)).toBe(zeroAddress);
    await world.api.put(at(world, '/disable'), undefined, { expect: 200 });
    await expect(lookUp(resolver, `ann.${domain}`)).rejects.toThrow();
    // The resolver on the chain trusts one key, so it is the same when names are given out again.
    const { body } = await world.api.put<Settings>(at(world, '/enable'), undefined, { expect: 200 });
    expect(body.signerAddress).toBe(settings.signerAddress);
    expect(await lookUp(resolver, `ann.${domain}`)).toBe(ann.address);
    // Whoever has put a wallet away is not found there.
    await rowsOf(test, 'UPDATE wallets SET deleted_at = now() WHERE environment_id = $1', [world.environmentId]);
    expect(await lookUp(resolver, `ann.${domain}`)).toBe(zeroAddress);
  });

  it('finds a wallet whose address the team has stated in other letters', async () => {
    const { world, domain, settings } = await named();
    const key = newKey();
    const publicWalletAddress = `0x${key.address.slice(2).toUpperCase()}`;
    const wallets = [{ chain: 'EVM', walletName: 't', walletProvider: 'browserExtension', publicWalletAddress }];
    await world.api.post(world.path('/users'), { wallets }, { expect: 201 });
    const ann = await person(world, key);
    await claim(world, ann.jwt, 'ann', key.address);
    const resolver = await resolverOf(world, settings.signerAddress!);
    expect(await lookUp(resolver, `ann.${domain}`)).toBe(key.address);
  });

  it('gives answers that are good for five minutes, since names change hands', async () => {
    const { world, domain, settings } = await named();
    const name = `ann.${domain}`;
    const question = encodeFunctionData({
      abi: RESOLVER,
      functionName: 'resolve',
      args: [toHex(packetToBytes(name)), encodeFunctionData({ abi: ADDR, args: [namehash(name)] })],
    });
    const path = world.sdk(`/nameService/${settings.signerAddress}/${question}`);
    const { body } = await world.anonymous.get<{ data: Hex }>(path, { expect: 200 });
    const [, expires] = decodeAbiParameters([{ type: 'bytes' }, { type: 'uint64' }, { type: 'bytes' }], body.data);
    const seconds = Number(expires) - Math.floor(test.app.get(Clock).timestamp() / 1_000);
    expect(seconds).toBeLessThanOrEqual(300);
    expect(seconds).toBeGreaterThan(200);
  });

  it('goes on signing with the same key when the master key was rotated and the old one is gone', async () => {
    const { world, domain, settings } = await named();
    const ann = await person(world);
    await claim(world, ann.jwt, 'ann', ann.address);
    const next = generateMasterKey();
    const withKeys = (keys: string) => startTestApp({ databaseUrl: database.url, masterKey: keys, env: env() });
    const keyOf = async () =>
      (
        await rowsOf<{ sealed: Buffer; key: string }>(
          test,
          'SELECT sealed_key AS sealed, master_key_id AS key FROM name_services WHERE environment_id = $1',
          [world.environmentId],
        )
      )[0]!;
    const before = await keyOf();
    const rotating = await withKeys(`${next},${masterKey}`);
    try {
      const results = await rotating.app.get(KeyRotation).rewrapAll();
      const moved = results.find(({ name }) => name === 'name_services.sealed_key');
      expect(moved?.rewrapped).toBeGreaterThan(0);
    } finally {
      await rotating.close();
    }
    const after = await keyOf();
    expect(after.key).not.toBe(before.key);
    expect(after.sealed.equals(before.sealed)).toBe(false);
    const later = await withKeys(next);
    try {
      const resolver = await resolverOf(world, settings.signerAddress!, later.url);
      expect(await lookUp(resolver, `ann.${domain}`)).toBe(ann.address);
    } finally {
      await later.close();
    }
  }, 180_000);

  it('is believed by a resolver for its own questions alone', async () => {
    const { world, domain, settings } = await named();
    const ann = await person(world);
    await claim(world, ann.jwt, 'ann', ann.address);
    const resolver = await resolverOf(world, settings.signerAddress!);
    const other = await resolverOf(world, settings.signerAddress!);
    const stranger = await resolverOf(world, newKey().address);
    await expect(lookUp(stranger, `ann.${domain}`)).rejects.toThrow(/signer/);
    const question = (name: string) =>
      encodeFunctionData({ abi: RESOLVER, functionName: 'resolve', args: questionOf(name) });
    const answer = await fetch(
      `${test.url}/api/v0${world.sdk(`/nameService/${resolver}/${question(`ann.${domain}`)}`)}`,
      {
        headers: { origin: 'https://wallet.example.net' },
      },
    );
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const { data } = (await answer.json()) as { data: Hex };
    const believes = (address: Address, name: string): Promise<Hex> =>
      anvil.client.readContract({
        address,
        abi: RESOLVER,
        functionName: 'resolveWithProof',
        args: [data, question(name)],
      });
    await expect(believes(resolver, `ann.${domain}`)).resolves.toMatch(/^0x/);
    await expect(believes(resolver, `bob.${domain}`)).rejects.toThrow(/signer/);
    await expect(believes(other, `ann.${domain}`)).rejects.toThrow(/signer/);
  });

  it('answers no question about another domain, another node, or in another form', async () => {
    const { world, domain, settings } = await named();
    const ask = async (sender: string, data: string): Promise<[number, unknown]> => {
      const { status, body } = await world.anonymous.get<Refusal>(world.sdk(`/nameService/${sender}/${data}`));
      return [status, body.code];
    };
    const question = (name: string, node = namehash(name)): Hex =>
      encodeFunctionData({
        abi: RESOLVER,
        functionName: 'resolve',
        args: [toHex(packetToBytes(name)), encodeFunctionData({ abi: ADDR, args: [node] })],
      });
    const sender = settings.signerAddress!;
    expect((await ask(sender, question('ann.other.eth')))[0]).toBe(404);
    expect((await ask(sender, question(`ann.not${domain}`)))[0]).toBe(404);
    const malformed = [
      [sender, question(`ann.${domain}`, namehash(`bob.${domain}`))],
      [sender, '0x'],
      [sender, 'hello'],
      [sender, `0x9061b923${'ff'.repeat(64)}`],
      ['0x12', question(`ann.${domain}`)],
    ] as const;
    for (const [from, data] of malformed) expect(await ask(from, data)).toEqual([400, 'validation_failed']);
  });
});
