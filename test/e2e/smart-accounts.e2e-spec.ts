import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  parseErc6492Signature,
  serializeErc6492Signature,
  serializeErc8010Signature,
  toHex,
  type Address,
  type Hex,
} from 'viem';
import { Anvil } from '../support/anvil.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { compiled } from '../support/contracts-evm/compiled.js';
import { rowsOf } from '../support/rows.js';
import { RpcNode, type Mood } from '../support/rpc-node.js';
import { Standstill } from '../support/standstill.js';
import { customNetwork } from '../support/surface/custom-network.js';
import { addSite, claimOf, enableChains, messageOf, newKey, newNonce } from '../support/wallet-sign-in.js';
import { World } from '../support/world.js';

const NUMBER = 31_337;

interface Answer {
  user: { id: string; verifiedCredentials: { address: string }[] };
  code?: string;
}

let test: TestApp;
let world: World;
let anvil: Anvil;
let node: RpcNode;
let factory: Address;
let stranger: Server;
let strangerCalls = 0;

beforeAll(async () => {
  anvil = await Anvil.start();
  node = await RpcNode.before(anvil.url);
  factory = await anvil.deploy('WalletFactory');
  stranger = createServer((_request, response) => {
    strangerCalls += 1;
    response.end(JSON.stringify({ data: '0x' }));
  });
  stranger.listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  test = await startTestApp({ env: { ROLE: 'api', EGRESS_ALLOW: '127.0.0.1' } });
  world = await tenantOf(node);
}, 120_000);
afterAll(async () => {
  await test.close();
  await node.close();
  await anvil.close();
  stranger.close();
});
beforeEach(() => {
  node.mood = 'well';
  node.forget();
});

/** A tenant whose network is read from a node. */
async function tenantOf({ url }: RpcNode): Promise<World> {
  const made = await World.create(test);
  await addSite(made);
  const network = { ...customNetwork('accounts'), chainId: String(NUMBER), rpcUrl: url };
  await made.owner.post(`/organizations/${made.ids.organizationId}/customNetworks`, network, { expect: 201 });
  await enableChains(made, { EVM: [NUMBER] });
  return made;
}

const signIn = (body: object) => world.anonymous.post<Answer>(world.sdk('/verify'), body);
const outcome = async (body: object): Promise<unknown[]> => {
  const { status, body: answer } = await signIn(body);
  return [status, answer.code];
};
const REFUSED = [422, 'invalid_wallet_signature'];

/** A message for an address, signed by a key, in whatever wrapping. */
async function claimFor(
  address: Address,
  signer: { signMessage(args: { message: string }): Promise<Hex> },
  wrap: (signature: Hex) => Hex = (signature) => signature,
) {
  const text = messageOf({ address, chainId: String(NUMBER), nonce: await newNonce(world) });
  return claimOf(address, text, wrap(await signer.signMessage({ message: text })));
}

/** What makes the wallet of a key, and where it will be. */
function planned(owner: Address): { address: Address; wrap: (signature: Hex) => Hex } {
  const salt = toHex(randomBytes(32));
  const { abi, bytecode } = compiled('Wallet');
  const creation = encodeDeployData({ abi, bytecode, args: [owner] });
  const address = getContractAddress({ opcode: 'CREATE2', from: factory, salt, bytecode: creation });
  const make = encodeFunctionData({ abi: compiled('WalletFactory').abi, functionName: 'make', args: [owner, salt] });
  return { address, wrap: (signature) => serializeErc6492Signature({ address: factory, data: make, signature }) };
}

const nothingWasSent = (): void => {
  const sending = node.calls.filter(({ method }) => !['eth_call', 'eth_getCode', 'eth_chainId'].includes(method));
  expect(sending).toEqual([]);
};

describe('a smart account', () => {
  it('that is deployed signs in by the word of its contract (ERC-1271)', async () => {
    const key = newKey();
    const address = await anvil.deploy('Wallet', [key.address]);
    const first = await signIn(await claimFor(address, key));
    expect([first.status, first.body.code]).toEqual([200, undefined]);
    expect(first.body.user.verifiedCredentials).toEqual([expect.objectContaining({ address })]);
    expect((await signIn(await claimFor(address, key))).body.user.id).toBe(first.body.user.id);
    nothingWasSent();
    expect(await outcome(await claimFor(address, newKey()))).toEqual(REFUSED);
  });

  it('that is not deployed signs in by what would make it (ERC-6492), and nothing is deployed', async () => {
    const key = newKey();
    const { address, wrap } = planned(key.address);
    expect((await signIn(await claimFor(address, key, wrap))).status).toBe(200);
    nothingWasSent();
    expect(await anvil.client.getCode({ address })).toBeUndefined();
    // Without the wrapping there is no contract to ask.
    expect(await outcome(await claimFor(address, key))).toEqual(REFUSED);
    expect(await outcome(await claimFor(address, newKey(), wrap))).toEqual(REFUSED);
    // What makes the wallet of somebody else makes it elsewhere.
    const other = planned(newKey().address);
    expect(await outcome(await claimFor(address, key, other.wrap))).toEqual(REFUSED);
  });

  it('that is deployed meanwhile goes on to sign in with its wrapping', async () => {
    const key = newKey();
    const { address, wrap } = planned(key.address);
    const first = await signIn(await claimFor(address, key, wrap));
    const { data } = parseErc6492Signature(wrap('0x00'));
    await anvil.send('WalletFactory', factory, 'make', argsOf(data!));
    const second = await signIn(await claimFor(address, key, wrap));
    expect([second.status, second.body.user?.id]).toEqual([200, first.body.user.id]);
  });
});

function argsOf(data: Hex): [Address, Hex] {
  return [`0x${data.slice(34, 74)}`, `0x${data.slice(74, 138)}`];
}

describe('a signature that no contract should be asked about in this way', () => {
  it('does not make the stranger who sends it the owner of a deployed wallet', async () => {
    const [thief, open] = [newKey(), await anvil.deploy('OpenWallet')];
    const data = encodeFunctionData({
      abi: compiled('OpenWallet').abi,
      functionName: 'initialize',
      args: [thief.address],
    });
    const wrap = (signature: Hex) => serializeErc6492Signature({ address: open, data, signature });
    // A validator that runs the wrapped call first believes it: that is the mistake this guards against.
    const text = messageOf({ address: open, chainId: String(NUMBER), nonce: await newNonce(world) });
    const wrapped = wrap(await thief.signMessage({ message: text }));
    expect(await anvil.client.verifyMessage({ address: open, message: text, signature: wrapped })).toBe(true);
    expect(await outcome(claimOf(open, text, wrapped))).toEqual(REFUSED);
  });

  it('does not sign in to the address of a key by calling other contracts', async () => {
    const victim = newKey().address;
    for (const name of ['Echo', 'YesMan']) {
      const helper = await anvil.deploy(name);
      const wrap = (signature: Hex) => serializeErc6492Signature({ address: helper, data: '0x1626ba7e', signature });
      expect(await outcome(await claimFor(victim, newKey(), wrap))).toEqual(REFUSED);
    }
    nothingWasSent();
  });

  it.each(['Echo', 'YesMan', 'Furnace', 'WalletFactory'])(
    'is not taken for good by a contract of another kind: %s',
    async (name) => {
      const address = await anvil.deploy(name);
      // More often than a failing node would be asked: a stranger's contract does not stop the node for others.
      for (let n = 0; n < 6; n += 1) expect(await outcome(await claimFor(address, newKey()))).toEqual(REFUSED);
    },
  );

  it('does not send the service to an address of the choice of a contract (ERC-3668)', async () => {
    const { port } = stranger.address() as AddressInfo;
    const address = await anvil.deploy('Lookup', [`http://127.0.0.1:${port}/{sender}/{data}`]);
    expect(await outcome(await claimFor(address, newKey()))).toEqual(REFUSED);
    expect(strangerCalls).toBe(0);
    // A client of viem as it comes goes there: that is the mistake this guards against.
    const { abi } = compiled('Lookup');
    const asked = anvil.client.readContract({
      address,
      abi,
      functionName: 'isValidSignature',
      args: [toHex(1, { size: 32 }), '0x'],
    });
    await asked.catch(() => undefined);
    expect(strangerCalls).toBeGreaterThan(0);
  });

  it('does not come with an authorization that anybody can read on the chain (ERC-8010)', async () => {
    const [victim, thief, open] = [newKey(), newKey(), await anvil.deploy('OpenWallet')];
    const authorization = await victim.signAuthorization({ contractAddress: open, chainId: NUMBER, nonce: 0 });
    const { abi } = compiled('OpenWallet');
    const data = encodeFunctionData({ abi, functionName: 'initialize', args: [thief.address] });
    const text = messageOf({ address: victim.address, chainId: String(NUMBER), nonce: await newNonce(world) });
    const signature = await thief.signMessage({ message: text });
    const wrapped = serializeErc8010Signature({ authorization, data, signature });
    // Whoever takes such signatures believes the thief: that is the mistake this guards against.
    const client = anvil.client;
    expect(await client.verifyMessage({ address: victim.address, message: text, signature: wrapped })).toBe(true);
    expect(await outcome(claimOf(victim.address, text, wrapped))).toEqual(REFUSED);
  });

  it('of the key of a wallet is not one of another wallet, or of a changed message', async () => {
    const key = newKey();
    const address = await anvil.deploy('Wallet', [key.address]);
    const body = await claimFor(address, key);
    expect(await outcome({ ...body, messageToSign: body.messageToSign.replace('Welcome.', 'Welcome!') })).toEqual(
      REFUSED,
    );
    const eoa = await claimFor(key.address, key);
    expect(await outcome({ ...eoa, messageToSign: eoa.messageToSign.replace('Welcome.', 'Welcome!') })).toEqual(
      REFUSED,
    );
    expect(await outcome(await claimFor(newKey().address, newKey()))).toEqual(REFUSED);
    expect((await signIn(body)).status).toBe(200);
  });
});

describe('a chain that cannot be read', () => {
  // A node of its own for each, so that none is spared a question for the failures before.
  it.each<Mood>(['down', 'silent', 'garbage', 'html', 'oversize', 'rate-limited', 'fault'])(
    'opens no session of a smart account within five seconds, and keeps no key out: %s',
    async (mood) => {
      const own = await RpcNode.before(anvil.url);
      const there = await tenantOf(own);
      const key = newKey();
      const address = await anvil.deploy('Wallet', [key.address]);
      const claimThere = async (of: Address) => {
        const text = messageOf({ address: of, chainId: String(NUMBER), nonce: await newNonce(there) });
        return claimOf(of, text, await key.signMessage({ message: text }));
      };
      const enter = async (body: object) => {
        const answer = await there.anonymous.post<Answer>(there.sdk('/verify'), body);
        return [answer.status, answer.body.code];
      };
      const body = await claimThere(address);
      own.mood = mood;
      const [started, standstill] = [performance.now(), Standstill.watch()];
      expect(await enter(body)).toEqual([503, 'wallet_chain_unreadable']);
      expect(performance.now() - started).toBeLessThan(6_500 + standstill.ms);
      standstill.stop();
      expect(await enter(await claimThere(key.address))).toEqual([200, undefined]);
      expect(await rowsOf(test, 'SELECT 1 FROM credentials WHERE address = $1', [address])).toEqual([]);
      await own.close();
    },
    60_000,
  );
});
