import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import {
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  parseEther,
  serializeErc6492Signature,
  toHex,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem';
import { Accounts, codeOf } from '../support/accounts.js';
import { Anvil } from '../support/anvil.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { addNetwork, useNodes } from '../support/chain-tenant.js';
import { compiled } from '../support/contracts-evm/compiled.js';
import { rowsOf } from '../support/rows.js';
import { addSite, claimOf, messageOf, newKey, newNonce } from '../support/wallet-sign-in.js';
import { newEmail, World } from '../support/world.js';

const HERE = 31_337;
const ELSEWHERE = 31_338;

interface Answer {
  jwt: string;
  user: { id: string; scope: string; verifiedCredentials: { address: string; contract_network?: number }[] };
  code?: string;
}
type Key = ReturnType<typeof newKey>;

let test: TestApp;
let world: World;
let here: Anvil;
let elsewhere: Anvil;
let factory: Address;

beforeAll(async () => {
  [here, elsewhere] = await Promise.all([
    Anvil.start(HERE).then((chain) => chain.withMulticall()),
    Anvil.start(ELSEWHERE).then((chain) => chain.withMulticall()),
  ]);
  factory = await both('WalletFactory', [], []);
  test = await startTestApp({ env: { ROLE: 'api', EGRESS_ALLOW: '127.0.0.1' } });
}, 120_000);
afterAll(async () => {
  await test.close();
  await Promise.all([here.close(), elsewhere.close()]);
});
beforeEach(async () => {
  world = await World.create(test);
  await addSite(world);
  await addNetwork(world, 'EVM', HERE, here.url);
  await addNetwork(world, 'EVM', ELSEWHERE, elsewhere.url);
  await useNodes(world, { EVM: { [HERE]: here.url, [ELSEWHERE]: elsewhere.url } });
});

/** One address on both networks: the deployer is the same, and has sent as much on each. */
async function both(name: string, argsHere: unknown[], argsElsewhere: unknown[]): Promise<Address> {
  const [one, other] = [await here.deploy(name, argsHere), await elsewhere.deploy(name, argsElsewhere)];
  expect(other).toBe(one);
  return one;
}

/** A wallet whose first owner gave it away here, and who could still make it elsewhere. */
async function givenAway(first: Key, owner: Key): Promise<{ address: Address; wrap: (signature: Hex) => Hex }> {
  const salt = toHex(randomBytes(32));
  const { abi, bytecode } = compiled('Wallet');
  const creation = encodeDeployData({ abi, bytecode, args: [first.address] });
  const address = getContractAddress({ opcode: 'CREATE2', from: factory, salt, bytecode: creation });
  await here.place('OpenWallet', address);
  await here.send('OpenWallet', address, 'initialize', [owner.address]);
  // The deployer stays as far on one network as on the other.
  await elsewhere.send('WalletFactory', factory, 'make', [owner.address, salt]);
  const data = encodeFunctionData({
    abi: compiled('WalletFactory').abi,
    functionName: 'make',
    args: [first.address, salt],
  });
  return { address, wrap: (signature) => serializeErc6492Signature({ address: factory, data, signature }) };
}

async function claim(address: Address, signer: Key, network: number, wrap = (signature: Hex): Hex => signature) {
  const text = messageOf({ address, chainId: String(network), nonce: await newNonce(world) });
  return claimOf(address, text, wrap(await signer.signMessage({ message: text })));
}
const signIn = (body: object) => world.anonymous.post<Answer>(world.sdk('/verify'), body);
const outcomeOf = async (body: object): Promise<unknown[]> => {
  const answer = await signIn(body);
  return [answer.status, answer.body.code];
};
const REFUSED = [422, 'wallet_of_another_network'];

describe('a smart account on two networks', () => {
  it('belongs to the network where it first signed in, whoever owns the contract at its address elsewhere', async () => {
    const [owner, stranger] = [newKey(), newKey()];
    const address = await both('Wallet', [owner.address], [stranger.address]);
    const first = await signIn(await claim(address, owner, HERE));
    expect(first.status).toBe(200);
    expect(first.body.user.verifiedCredentials[0]).toMatchObject({ address, contract_network: HERE });
    expect(await outcomeOf(await claim(address, stranger, ELSEWHERE))).toEqual(REFUSED);
    const again = await signIn(await claim(address, owner, HERE));
    expect(again.body.user.id).toBe(first.body.user.id);
  });

  it('is not accessible to its first owner, who could deploy it on another network', async () => {
    const [first, owner] = [newKey(), newKey()];
    const { address, wrap } = await givenAway(first, owner);
    expect((await signIn(await claim(address, owner, HERE))).status).toBe(200);
    expect(await outcomeOf(await claim(address, first, ELSEWHERE, wrap))).toEqual(REFUSED);
  });

  it('gives a signed-in user no access to its account either', async () => {
    const [owner, stranger] = [newKey(), newKey()];
    const address = await both('Wallet', [owner.address], [stranger.address]);
    await signIn(await claim(address, owner, HERE));
    const accounts = new Accounts(world);
    const { jwt } = await world.signIn(newEmail());
    for (const path of ['/verify/link', '/verify/transfer']) {
      const answer = await accounts.post(path, jwt, await claim(address, stranger, ELSEWHERE));
      expect([path, answer.status, codeOf(answer)]).toEqual([path, ...REFUSED]);
    }
  });

  it('belongs to one user when both owners sign in for the first time concurrently', async () => {
    const [one, other] = [newKey(), newKey()];
    const address = await both('Wallet', [one.address], [other.address]);
    const claims = [await claim(address, one, HERE), await claim(address, other, ELSEWHERE)];
    const answers = await Promise.all(claims.map((body) => outcomeOf(body)));
    expect(answers.toSorted()).toEqual([[200, undefined], REFUSED]);
  });

  it('first named by an API call belongs to the network on which it is proven', async () => {
    const [owner, stranger] = [newKey(), newKey()];
    const address = await both('Wallet', [owner.address], [stranger.address]);
    const stated = { publicWalletAddress: address, chain: 'EVM', walletName: 't', walletProvider: 'browserExtension' };
    await world.api.post(world.path('/users'), { wallets: [stated] }, { expect: 201 });
    expect((await signIn(await claim(address, owner, HERE))).status).toBe(200);
    expect(await outcomeOf(await claim(address, stranger, ELSEWHERE))).toEqual(REFUSED);
  });

  it('called embedded by its application belongs to one network like any other', async () => {
    const [owner, stranger] = [newKey(), newKey()];
    const address = await both('Wallet', [owner.address], [stranger.address]);
    const called = { ...(await claim(address, owner, HERE)), walletProvider: 'embeddedWallet' };
    expect((await signIn(called)).status).toBe(200);
    expect(await outcomeOf(await claim(address, stranger, ELSEWHERE))).toEqual(REFUSED);
  });

  it('created before belongs to the network on which it next signs in', async () => {
    const [owner, stranger] = [newKey(), newKey()];
    const address = await both('Wallet', [owner.address], [stranger.address]);
    await signIn(await claim(address, owner, HERE));
    await rowsOf(test, 'UPDATE credentials SET contract_network = NULL WHERE environment_id = $1', [
      world.environmentId,
    ]);
    expect((await signIn(await claim(address, owner, HERE))).status).toBe(200);
    expect(await outcomeOf(await claim(address, stranger, ELSEWHERE))).toEqual(REFUSED);
  });

  it('opens gates by its holdings on that network only', async () => {
    const owner = newKey();
    const address = await both('Wallet', [owner.address], [newKey().address]);
    for (const [chain, networkId] of [
      [here, HERE],
      [elsewhere, ELSEWHERE],
    ] as const) {
      await chain.setBalance(address, parseEther('1'));
      const rule = { type: 'token', chain: 'EVM', address: { networkId, contractAddress: zeroAddress } };
      const gate = { name: String(networkId), outcome: 'scope', scope: `on-${networkId}`, rules: [rule] };
      const { id } = (await world.api.post<{ id: string }>(world.path('/gates'), gate, { expect: 201 })).body;
      await world.api.put(world.path(`/gates/${id}/enable`), undefined, { expect: 200 });
    }
    const { body } = await signIn(await claim(address, owner, HERE));
    expect(body.user.scope).toBe(`user:basic on-${HERE}`);
  });
});

describe('a key', () => {
  it('signs in on every network', async () => {
    const key = newKey();
    const first = await signIn(await claim(key.address, key, HERE));
    expect(first.body.user.verifiedCredentials[0]).not.toHaveProperty('contract_network');
    const again = await signIn(await claim(key.address, key, ELSEWHERE));
    expect(again.body.user.id).toBe(first.body.user.id);
  });
});
