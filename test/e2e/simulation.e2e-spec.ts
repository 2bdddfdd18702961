import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { base58 } from '@scure/base';
import { FailedTransactionMetadata } from 'litesvm';
import { getTransactionDecoder } from '@solana/kit';
import {
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  formatUnits,
  http,
  maxUint256,
  type Address,
  type Hex,
} from 'viem';
import { foundry } from 'viem/chains';
import {
  decodeTransaction,
  encodeTransaction,
  type SolanaTransaction,
} from '../../src/networks/solana/solana-transaction.js';
import { Anvil } from '../support/anvil.js';
import { KEPT_MS } from '../../src/networks/simulation/outcome.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { addNetwork, useNodes } from '../support/chain-tenant.js';
import { compiled } from '../support/contracts-evm/compiled.js';
import { RATE_ANSWERS, rateAddresses } from '../support/rate-vendors.js';
import { RpcNode } from '../support/rpc-node.js';
import { SolanaNode, TOKEN, WRAPPED_SOL } from '../support/solana-node.js';
import { VendorServer } from '../support/vendor-server.js';
import { newKey } from '../support/wallet-sign-in.js';
import { newEmail, World } from '../support/world.js';

const EVM = 31_337;
const OLD = 31_338;
const PLAIN = 31_339;
const SOL = 900;
const GWEI = 10n ** 9n;

interface Transfer {
  rawValue: string;
  summary: string;
  usdPrice?: string;
}
interface Diff {
  asset: { address: string | null; symbol: string; type: string };
  transferIn: Transfer[];
  transferOut: Transfer[];
}
interface Preview {
  inAssets: Diff[];
  outAssets: Diff[];
  counterparties: string[];
  priceData: { nativeTokenUsdPrice?: number };
  validation: { result: string | null; reason: string; description?: string };
  assetExposures: { asset: { address: string; symbol: string }; spenderToInfo: Record<string, { amount: string }> }[];
  code?: string;
}

let anvil: Anvil;
let node: RpcNode;
let old: RpcNode;
let plain: RpcNode;
let main: RpcNode;
let solana: SolanaNode;
let vendors: VendorServer;
let test: TestApp;
let world: World;
let coin: Address;
let pool: Address;
let collectible: Address;
let refusals: Address;
let entryPoint: Address;
let account: Address;
const key = newKey();
const alice = key.address;
const bob = newKey().address;

beforeAll(async () => {
  [anvil, solana] = [await (await Anvil.start()).withMulticall(), await SolanaNode.start()];
  node = await RpcNode.before(anvil.url);
  main = await RpcNode.before(anvil.url, 1);
  // A node from before eth_simulateV1.
  old = await RpcNode.start(async ({ method, params }) => {
    if (method === 'eth_simulateV1') return { error: { code: -32601, message: 'the method does not exist' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const answer = (await (await fetch(anvil.url, init)).json()) as object;
    return method === 'eth_chainId' ? { result: `0x${OLD.toString(16)}` } : answer;
  });
  plain = await RpcNode.start(({ method }) =>
    method === 'eth_chainId' ? { result: '0x7a6b' } : { error: { code: -32601, message: 'method not found' } },
  );
  coin = await anvil.deploy('Coin', ['Coin', 'COIN']);
  pool = await anvil.deploy('Pool', [coin]);
  collectible = await anvil.deploy('Collectible');
  refusals = await anvil.deploy('Refusals');
  entryPoint = await anvil.deploy('EntryPoint');
  account = await anvil.deploy('Account', [entryPoint]);
  await anvil.send('Coin', coin, 'mint', [alice, 1_000_000n]);
  await anvil.send('Coin', coin, 'mint', [pool, 10n ** 12n]);
  await anvil.send('Coin', coin, 'mint', [account, 500n]);
  await anvil.send('Collectible', collectible, 'give', [alice, 7n]);
  for (const each of [alice, pool, account]) await anvil.setBalance(each, 10n ** 19n);
  vendors = await VendorServer.start(RATE_ANSWERS);
  const PROVIDER_ADDRESSES = JSON.stringify(rateAddresses(vendors.origin));
  test = await startTestApp({ env: { ROLE: 'api', EGRESS_ALLOW: '127.0.0.1', PROVIDER_ADDRESSES } });
  world = await World.create(test);
  await addNetwork(world, 'EVM', EVM, node.url);
  await addNetwork(world, 'EVM', OLD, old.url);
  await addNetwork(world, 'EVM', PLAIN, plain.url);
  await addNetwork(world, 'SOL', SOL, solana.node.url);
  await useNodes(world, { SOL: { [SOL]: solana.node.url }, EVM: { 1: main.url } });
}, 120_000);
afterAll(async () => {
  await test.close();
  await Promise.all([
    node.close(),
    main.close(),
    old.close(),
    plain.close(),
    solana.node.close(),
    vendors.close(),
    anvil.close(),
  ]);
});
beforeEach(() => {
  for (const each of [node, old, solana.node]) each.forget();
  node.mood = 'well';
});

const encode = (name: string, functionName: string, args: readonly unknown[] = []): Hex =>
  encodeFunctionData({ abi: compiled(name).abi, functionName, args });

async function preview(
  call: { to: Address; data?: Hex; value?: bigint },
  chainId = EVM,
  expect = 200,
): Promise<Preview> {
  const { to, data = '0x', value = 0n } = call;
  const body = { chainId: String(chainId), from: alice, to, data, value: String(value) };
  return (await world.anonymous.post<Preview>(world.sdk('/evm/simulateTransaction'), body, { expect })).body;
}

/** Sends it on the chain; what changed for whom, in ether without fees and in coins. */
async function sent(call: { to: Address; data?: Hex; value?: bigint }): Promise<{ ether: bigint; coins: bigint }> {
  const writing = createWalletClient({ chain: foundry, transport: http(anvil.url), account: key });
  const state = async () => ({
    ether: await anvil.client.getBalance({ address: alice }),
    coins: await anvil.client.readContract({ abi: erc20Abi, address: coin, functionName: 'balanceOf', args: [alice] }),
  });
  const before = await state();
  const hash = await writing.sendTransaction({ to: call.to, data: call.data, value: call.value });
  const { gasUsed, effectiveGasPrice } = await anvil.client.waitForTransactionReceipt({ hash });
  const after = await state();
  return { ether: after.ether - before.ether + gasUsed * effectiveGasPrice, coins: after.coins - before.coins };
}

/** What a preview says, in the same terms. */
function told({ inAssets, outAssets }: Preview): { ether: bigint; coins: bigint } {
  const change = (address: string | null): bigint => {
    const sum = (diffs: Diff[], side: 'transferIn' | 'transferOut') =>
      diffs
        .filter(({ asset }) => asset.address === address)
        .flatMap((diff) => diff[side])
        .reduce((all, { rawValue }) => all + BigInt(rawValue), 0n);
    return sum(inAssets, 'transferIn') - sum(outAssets, 'transferOut');
  };
  return { ether: change(null), coins: change(coin) };
}

it('a preview of a transaction on a network of the catalogue says what is paid in dollars', async () => {
  const { outAssets, priceData } = await preview({ to: bob, value: 10n ** 18n }, 1);
  expect([outAssets[0]?.transferOut[0]?.usdPrice, priceData.nativeTokenUsdPrice]).toEqual(['2000.00', 2000]);
});

describe.each([
  ['a node with eth_simulateV1', EVM],
  ['a node with debug_traceCall alone', OLD],
])('a preview of an EVM transaction by %s', (_, chainId) => {
  const cases = (): [string, { to: Address; data?: Hex; value?: bigint }][] => [
    ['a payment', { to: bob, value: 5n * GWEI }],
    ['a transfer of a token', { to: coin, data: encode('Coin', 'transfer', [bob, 400n]) }],
    ['a purchase', { to: pool, data: encode('Pool', 'buy'), value: 9n * GWEI }],
    ['an approval', { to: coin, data: encode('Coin', 'approve', [pool, 30n]) }],
    ['a sale', { to: pool, data: encode('Pool', 'sell', [30n]) }],
    ['a sale that fails within and is taken back', { to: pool, data: encode('Pool', 'trySelling', [10n]) }],
  ];

  it('says what then happens on the chain', async () => {
    for (const [name, call] of cases()) {
      const foreseen = told(await preview(call, chainId));
      expect([name, foreseen]).toEqual([name, await sent(call)]);
    }
  });

  it('names the parties and amounts in units of the token', async () => {
    const { outAssets, counterparties, priceData } = await preview({ to: bob, value: 10n ** 18n }, chainId);
    expect(outAssets).toEqual([
      expect.objectContaining({
        asset: expect.objectContaining({ address: null, symbol: 'ETH', type: 'NATIVE' }) as object,
        transferOut: [{ rawValue: String(10n ** 18n), value: '1', summary: 'Send 1 ETH' }],
      }),
    ]);
    // The organization calls the currency of its network ether.
    expect([counterparties, priceData]).toEqual([[bob], {}]);
  });

  it('knows an NFT by its number', async () => {
    const { outAssets } = await preview(
      { to: collectible, data: encode('Collectible', 'transferFrom', [alice, bob, 7n]) },
      chainId,
    );
    expect(outAssets[0]).toMatchObject({
      asset: { type: 'ERC721' },
      transferOut: [{ rawValue: '1', summary: 'Send CLB #7' }],
    });
  });

  it('shows approvals, and flags those without a limit', async () => {
    const of = (data: Hex, to: Address) => preview({ to, data }, chainId);
    const small = await of(encode('Coin', 'approve', [bob, 1_500_000n]), coin);
    expect([small.validation.result, small.assetExposures[0]!.spenderToInfo[bob]]).toEqual([null, { amount: '1.5' }]);
    for (const all of [
      await of(encode('Coin', 'approve', [bob, maxUint256]), coin),
      await of(encode('Collectible', 'setApprovalForAll', [bob, true]), collectible),
    ]) {
      expect(all.validation).toMatchObject({ result: 'Warning', reason: 'unlimited_approval' });
      expect(all.assetExposures[0]!.spenderToInfo[bob]).toEqual({ amount: 'unlimited' });
    }
    const none = await of(encode('Collectible', 'setApprovalForAll', [bob, false]), collectible);
    expect([none.validation.result, none.assetExposures]).toEqual([null, []]);
  });

  it('shows an approval as the chain then has it', async () => {
    const spender = newKey().address;
    for (const amount of [1_500_000n, 2n ** 60n + 1n, maxUint256]) {
      const call = { to: coin, data: encode('Coin', 'approve', [spender, amount]) };
      const { assetExposures } = await preview(call, chainId);
      await sent(call);
      const allowed = await anvil.client.readContract({
        ...{ abi: erc20Abi, address: coin, functionName: 'allowance' as const, args: [alice, spender] as const },
      });
      const told = assetExposures[0]!.spenderToInfo[spender]!.amount;
      expect([told, allowed]).toEqual([amount === maxUint256 ? 'unlimited' : formatUnits(amount, 6), amount]);
    }
  });

  it.each([
    ['inWords', [], 'the shop is closed'],
    ['inCode', [], 'execution reverted with 0x'],
    ['byPanic', [0n], 'Panic(18)'],
    ['silently', [], 'execution'],
  ] as const)('says why a transaction would fail: %s', async (name, args, words) => {
    const { validation, inAssets, outAssets } = await preview(
      { to: refusals, data: encode('Refusals', name, args) },
      chainId,
    );
    expect([validation.result, validation.reason, inAssets, outAssets]).toEqual(['Error', 'transaction_fails', [], []]);
    expect(validation.description).toContain(words);
    // And so it does.
    const writing = createWalletClient({ chain: foundry, transport: http(anvil.url), account: key });
    const hash = await writing.sendTransaction({ to: refusals, data: encode('Refusals', name, args), gas: 500_000n });
    expect(await anvil.client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'reverted' });
  });

  it('says that the account has not enough', async () => {
    const { validation } = await preview({ to: bob, value: 10n ** 24n }, chainId);
    expect(validation).toMatchObject({ result: 'Error', reason: 'transaction_fails' });
  });
});

describe('a preview of an EVM transaction', () => {
  it('is made once for a hundred at once', async () => {
    const call = { to: coin, data: encode('Coin', 'transfer', [bob, 3n]) };
    const from = performance.now();
    const all = await Promise.all(Array.from({ length: 100 }, () => preview(call)));
    const kept = Math.floor((performance.now() - from) / KEPT_MS);
    expect(new Set(all.map((each) => JSON.stringify(each))).size).toBe(1);
    // An answer is kept for a second, within which a busy machine may not have read all hundred.
    expect(node.count('eth_simulateV1')).toBeLessThanOrEqual(1 + kept);
  });

  it.each([
    ['chainId', { chainId: 'x' }],
    ['to', { to: 'bob' }],
    ['data', { data: '0xf' }],
    ['value', { value: '-1' }],
  ])('is refused for a malformed %s', async (field, mistake) => {
    const body = { chainId: '31337', from: alice, to: bob, data: '0x', value: '0', ...mistake };
    const answer = await world.anonymous.post<{ code: string; payload: object }>(
      world.sdk('/evm/simulateTransaction'),
      body,
      { expect: 422 },
    );
    expect(answer.body).toMatchObject({ code: 'invalid_transaction', payload: { field } });
  });

  it('is 503 while no node answers, or answers about itself, and 422 where no node can simulate', async () => {
    node.mood = 'down';
    expect((await preview({ to: bob, value: 77n }, EVM, 503)).code).toBe('chain_unreadable');
    node.mood = 'fault';
    expect((await preview({ to: bob, value: 78n }, EVM, 503)).code).toBe('chain_unreadable');
    expect((await preview({ to: bob }, PLAIN, 422)).code).toBe('simulation_not_supported');
  });
});

describe('a preview of a user operation', () => {
  const operate = async (operation: object, to: Address = entryPoint) => {
    const body = { chainId: String(EVM), entryPoint: to, value: '0', operation };
    return (await world.anonymous.post<Preview>(world.sdk('/evm/simulateUserOp'), body, { expect: 200 })).body;
  };
  const callData = () => encode('Account', 'execute', [coin, 0n, encode('Coin', 'transfer', [bob, 120n])]);
  const operation = (more: object = {}) => ({ sender: account, nonce: '0x0', callData: callData(), ...more });
  const coinsOf = (owner: Address) =>
    anvil.client.readContract({ abi: erc20Abi, address: coin, functionName: 'balanceOf', args: [owner] });

  it.each([
    ['signed, through validation', { signature: '0x6f70656e' }],
    ['unsigned, as after validation', {}],
  ])('says what the account would give: %s', async (_, more) => {
    const { outAssets, counterparties, validation } = await operate(operation(more));
    expect(validation.result).toBeNull();
    expect(outAssets).toEqual([
      expect.objectContaining({ transferOut: [expect.objectContaining({ rawValue: '120' })] }),
    ]);
    expect(counterparties).toEqual([bob]);
  });

  it('is what happens when the entry point is then called with it', async () => {
    const foreseen = (await operate(operation({ signature: '0x6f70656e' }))).outAssets[0]!.transferOut[0]!.rawValue;
    const before = await coinsOf(bob);
    await anvil.send('EntryPoint', entryPoint, 'handleOps', [
      [
        {
          ...{
            sender: account,
            nonce: 0n,
            initCode: '0x',
            callData: callData(),
            accountGasLimits: `0x${'00'.repeat(32)}`,
          },
          ...{
            preVerificationGas: 0n,
            gasFees: `0x${'00'.repeat(32)}`,
            paymasterAndData: '0x',
            signature: '0x6f70656e',
          },
        },
      ],
      bob,
    ]);
    expect((await coinsOf(bob)) - before).toBe(BigInt(foreseen));
  });

  it('fails with the words of the entry point for a signature that is none', async () => {
    const { validation } = await operate(operation({ signature: '0x1234' }));
    expect(validation).toMatchObject({ result: 'Error', description: 'AA24 signature error' });
  });

  it.each([
    ['signed', { signature: '0x6f70656e' }],
    ['unsigned', {}],
  ])('fails where its call fails, though the entry point charges for it: %s', async (_, more) => {
    const tooMuch = encode('Account', 'execute', [coin, 0n, encode('Coin', 'transfer', [bob, 10n ** 9n])]);
    const { validation, outAssets } = await operate(operation({ callData: tooMuch, ...more }));
    expect(outAssets).toEqual([]);
    expect(validation).toEqual({ result: 'Error', reason: 'transaction_fails', description: 'not enough coins' });
  });

  it.each([
    ['entry point', { signature: '0x6f70656e' }, () => bob, () => bob],
    ['account', { sender: alice }, () => entryPoint, () => alice],
  ])('warns where nothing would execute it: no code at the %s', async (_, more, at, named) => {
    const { validation, outAssets } = await operate(operation(more), at());
    expect(outAssets).toEqual([]);
    expect(validation).toMatchObject({ result: 'Warning', reason: 'no_contract' });
    expect(validation.description).toContain(named());
  });

  it.each([
    ['sender', { sender: undefined }],
    ['callData', { callData: '0x0' }],
    ['nonce', { nonce: '9'.repeat(78) }],
    ['maxFeePerGas', { maxFeePerGas: `0x1${'0'.repeat(32)}` }],
    ['verificationGasLimit', { verificationGasLimit: '-1' }],
    ['callGasLimit', { callGasLimit: 2 ** 53 }],
    ['paymasterPostOpGasLimit', { paymasterPostOpGasLimit: String(2n ** 128n) }],
    ['paymasterAndData', { paymasterAndData: `0x${'ab'.repeat(20)}` }],
  ])('is refused with a %s that no entry point takes', async (field, more) => {
    const signed = operation({ signature: '0x6f70656e', ...more });
    const body = { chainId: String(EVM), entryPoint, value: '0', operation: signed };
    const answer = await world.anonymous.post<{ code: string; payload: object }>(
      world.sdk('/evm/simulateUserOp'),
      body,
      { expect: 422 },
    );
    expect(answer.body).toMatchObject({ code: 'invalid_transaction', payload: { field: `operation.${field}` } });
  });
});

const SYSTEM = '11111111111111111111111111111111';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const [ANN, BEN, ANNS, BENS] = [
  '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
  '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
  '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
];

const le = (value: bigint, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, at) => Number((value >> BigInt(8 * at)) & 255n));

/** Unsigned: a payment by the system program, and one by the token program. */
function payments(lamports: bigint, coins: bigint, version: 0 | null = null): SolanaTransaction {
  return {
    signatures: [new Uint8Array(64)],
    version,
    ...{ requiredSignatures: 1, readonlySigned: 0, readonlyUnsigned: 2 },
    accounts: [ANN, BEN, ANNS, BENS, SYSTEM, TOKEN],
    blockhash: base58.encode(new Uint8Array(32).fill(1)),
    instructions: [
      { programIndex: 4, accounts: [0, 1], data: Uint8Array.from([...le(2n, 4), ...le(lamports, 8)]) },
      { programIndex: 5, accounts: [2, 3, 0], data: Uint8Array.from([3, ...le(coins, 8)]) },
    ],
    lookups: [],
  };
}
const wire = (transaction: SolanaTransaction): string => Buffer.from(encodeTransaction(transaction)).toString('base64');

describe('a preview of a Solana transaction', () => {
  beforeAll(() => {
    solana.fund(ANN, 5_000_000_000n);
    solana.fund(BEN, 1_000_000_000n);
    solana.mint(MINT, 6);
    solana.tokenAccount(ANNS, { mint: MINT, owner: ANN, amount: 900n });
    solana.tokenAccount(BENS, { mint: MINT, owner: BEN, amount: 5n });
  });
  const previewOf = async (transactions: string[], accountAddress = ANN, expect = 200) => {
    const body = { chain: String(SOL), transactions, accountAddress, method: 'signTransaction' };
    return (await world.anonymous.post<Preview>(world.sdk('/solana/simulateTransaction'), body, { expect })).body;
  };
  const changes = ({ inAssets, outAssets }: Preview) => [
    ...inAssets.map(({ asset, transferIn }) => [asset.symbol || asset.type, transferIn[0]!.rawValue]),
    ...outAssets.map(({ asset, transferOut }) => [asset.symbol || asset.type, `-${transferOut[0]!.rawValue}`]),
  ];
  const lamportsOf = (owner: string) => solana.svm.getBalance(owner as never) ?? 0n;

  it('says what then happens on the chain, fees included, from the side of either', async () => {
    const text = wire(payments(700_000_000n, 250n));
    const [ann, ben] = [await previewOf([text]), await previewOf([text], BEN)];
    const before = [lamportsOf(ANN), lamportsOf(BEN)] as const;
    const result = solana.svm.sendTransaction(getTransactionDecoder().decode(Buffer.from(text, 'base64')));
    expect(result instanceof FailedTransactionMetadata).toBe(false);
    expect(changes(ann)).toEqual([
      ['SOL', String(lamportsOf(ANN) - before[0])],
      ['SPL', '-250'],
    ]);
    expect(changes(ben)).toEqual([
      ['SOL', String(lamportsOf(BEN) - before[1])],
      ['SPL', '250'],
    ]);
    expect(ann.counterparties).toEqual([BEN]);
  });

  it('shows what leaves token accounts that the transaction takes from a table', async () => {
    const table = 'GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMJ';
    solana.table(table, [BENS, ANNS, MINT]);
    const hidden: SolanaTransaction = {
      ...payments(0n, 0n, 0),
      readonlyUnsigned: 1,
      accounts: [ANN, TOKEN],
      instructions: [{ programIndex: 1, accounts: [2, 3, 0], data: Uint8Array.from([3, ...le(40n, 8)]) }],
      lookups: [{ table, writable: [1, 0], readonly: [2] }],
    };
    const foreseen = await previewOf([wire(hidden)]);
    expect(changes(foreseen)).toContainEqual(['SPL', '-40']);
    expect(foreseen.counterparties).toContain(BEN);
    expect(changes(await previewOf([wire(hidden)], BEN))).toEqual([['SPL', '40']]);
    const result = solana.svm.sendTransaction(getTransactionDecoder().decode(encodeTransaction(hidden)));
    expect(result instanceof FailedTransactionMetadata).toBe(false);
    const unknown = { ...hidden, lookups: [{ table: MINT, writable: [1, 0], readonly: [2] }] };
    expect((await previewOf([wire(unknown)])).validation.result).toBe('Error');
  });

  it('flags one that gives the account itself to a program, although nothing leaves it', async () => {
    const assign = Uint8Array.from([...le(1n, 4), ...base58.decode(TOKEN)]);
    const given = { ...payments(0n, 0n), instructions: [{ programIndex: 4, accounts: [0], data: assign }] };
    const { validation } = await previewOf([wire(payments(1n, 1n)), wire(given)]);
    expect(validation).toMatchObject({ result: 'Malicious', reason: 'account_given_away' });
    expect(validation.description).toContain(TOKEN);
  });

  it('tells all that somebody may take, whatever a second token account of the same token lets them take', async () => {
    const spare = 'GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMK';
    solana.tokenAccount(spare, { mint: MINT, owner: ANN, amount: 0n });
    const approved = (place: number, amount: bigint) => ({
      ...{ programIndex: 4, accounts: [place, 3, 0], data: Uint8Array.from([4, ...le(amount, 8)]) },
    });
    const approving = (...amounts: [bigint, bigint]): string =>
      wire({
        ...payments(0n, 0n),
        accounts: [ANN, ANNS, spare, BEN, TOKEN],
        instructions: amounts.map((amount, at) => approved(at + 1, amount)),
      });
    const all = await previewOf([approving(2n ** 64n - 1n, 1n)]);
    expect(all.validation).toMatchObject({ result: 'Warning', reason: 'unlimited_approval' });
    const some = await previewOf([approving(2_000_000n, 1_500_000n)]);
    expect([all, some].map(({ assetExposures: [one] }) => one!.spenderToInfo[BEN]!.amount)).toEqual([
      'unlimited',
      '3.5',
    ]);
  });

  it('warns of one after which a token account is of somebody else, or can be emptied by closing it', async () => {
    const wrapped = 'GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFML';
    const empty = 'GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMM';
    solana.wrap(wrapped, ANN, 40_000_000n);
    solana.tokenAccount(empty, { mint: MINT, owner: ANN, amount: 0n });
    /** SetAuthority of the token program: 2 for the owner, 3 for who may close the account. */
    const given = (place: number, what: 2 | 3): SolanaTransaction => ({
      ...payments(0n, 0n),
      readonlyUnsigned: 2,
      accounts: [ANN, wrapped, empty, ANNS, BEN, TOKEN],
      instructions: [
        {
          ...{ programIndex: 5, accounts: [place, 0] },
          data: Uint8Array.from([6, what, 1, ...base58.decode(BEN)]),
        },
      ],
    });
    const told = async (place: number, what: 2 | 3) => {
      const { validation, assetExposures } = await previewOf([wire(given(place, what))]);
      return [validation.reason, assetExposures.map(({ asset, spenderToInfo }) => [asset.address, spenderToInfo])];
    };
    const all = { [BEN]: { amount: 'unlimited' } };
    expect(await told(1, 3)).toEqual(['unlimited_approval', [[WRAPPED_SOL, all]]]);
    expect(await told(2, 2)).toEqual(['unlimited_approval', [[MINT, all]]]);
    // Of other tokens nothing is left in an account that is closed.
    expect(await told(3, 3)).toEqual(['', []]);
    const send = (transaction: SolanaTransaction) =>
      solana.svm.sendTransaction(getTransactionDecoder().decode(encodeTransaction(transaction)));
    expect(send(given(1, 3)) instanceof FailedTransactionMetadata).toBe(false);
    const before = lamportsOf(BEN);
    const closing: SolanaTransaction = {
      ...payments(0n, 0n),
      readonlyUnsigned: 1,
      accounts: [BEN, wrapped, TOKEN],
      instructions: [{ programIndex: 2, accounts: [1, 0, 0], data: Uint8Array.of(9) }],
    };
    expect(send(closing) instanceof FailedTransactionMetadata).toBe(false);
    expect(lamportsOf(BEN) - before).toBeGreaterThan(40_000_000n);
  });

  it('takes base58 and version 0, and says why one would fail', async () => {
    const bytes = encodeTransaction(payments(1n, 10n ** 9n, 0));
    const { validation, outAssets } = await previewOf([base58.encode(bytes)]);
    expect([validation.result, outAssets]).toEqual(['Error', []]);
    expect(validation.description).toMatch(/insufficient funds/);
    expect((await previewOf(['nonsense'], ANN, 422)).code).toBe('invalid_transaction');
  });
});

describe('a Solana transaction with a priority fee', () => {
  let jwt: string;
  beforeAll(async () => {
    ({ jwt } = await world.signIn(newEmail()));
  });
  const optimize = async (transaction: string, expect = 200, address = ANN) =>
    (
      await world.anonymous
        .withToken(jwt)
        .post<{ transaction: string; code: string; payload: object }>(
          world.sdk('/solana/optimizeTransaction'),
          { transaction, address },
          { expect },
        )
    ).body;

  it('asks about the accounts that it writes to', async () => {
    await optimize(wire(payments(4n, 4n)));
    const asked = solana.node.calls.find(({ method }) => method === 'getRecentPrioritizationFees');
    expect(asked?.params).toEqual([[ANN, BEN, ANNS, BENS]]);
  });

  it.each([null, 0] as const)('has one instruction more, and otherwise the same (version %s)', async (version) => {
    const before = payments(5n, 5n, version);
    const after = decodeTransaction(Buffer.from((await optimize(wire(before))).transaction, 'base64'));
    const named = ({ accounts, instructions }: SolanaTransaction) =>
      instructions.map(({ programIndex, accounts: own, data }) => [
        accounts[programIndex],
        own.map((at) => accounts[at]),
        Buffer.from(data).toString('hex'),
      ]);
    expect(named(after).slice(0, -1)).toEqual(named(before));
    // Three of four recent blocks asked for 2000 micro-lamports at most.
    expect(named(after).at(-1)).toEqual(['ComputeBudget111111111111111111111111111111', [], '03d007000000000000']);
    expect({ ...after, accounts: 0, instructions: 0, readonlyUnsigned: 0 }).toEqual({
      ...before,
      accounts: 0,
      instructions: 0,
      readonlyUnsigned: 0,
      signatures: [Buffer.alloc(64)],
    });
  });

  it('is left as it is where it says itself what it pays', async () => {
    const once = (await optimize(wire(payments(6n, 6n)))).transaction;
    expect((await optimize(once)).transaction).toBe(once);
  });

  it('is refused once it is signed, for another payer, and when it is none', async () => {
    const signed = { ...payments(1n, 1n), signatures: [new Uint8Array(64).fill(9)] };
    expect((await optimize(wire(signed), 400)).payload).toEqual({ reason: 'signed' });
    expect((await optimize(wire(payments(1n, 1n)), 400, BEN)).payload).toEqual({ reason: 'other_payer' });
    expect((await optimize('AAAA', 400)).payload).toEqual({ reason: 'malformed' });
  });
});

describe('a Solana transaction that no node can be asked about', () => {
  const transaction = wire(payments(7n, 7n));
  const simulated = { chain: String(SOL), transactions: [transaction], accountAddress: ANN, method: 'signTransaction' };
  const optimized = { transaction, address: ANN };
  const answered = async (own: World, path: string, body: object, expect: number) => {
    const { jwt } = await own.signIn(newEmail());
    return (await own.anonymous.withToken(jwt).post<{ code: string }>(own.sdk(path), body, { expect })).body.code;
  };

  it.each([
    ['simulateTransaction', simulated],
    ['optimizeTransaction', optimized],
  ])('is 503 while the nodes of its network are away: %s', async (what, body) => {
    const own = await World.create(test);
    const away = await RpcNode.start(() => ({}));
    away.mood = 'down';
    try {
      await addNetwork(own, 'SOL', SOL, away.url);
      await useNodes(own, { SOL: { [SOL]: away.url } });
      expect(await answered(own, `/solana/${what}`, body, 503)).toBe('chain_unreadable');
    } finally {
      await away.close();
    }
  });

  it('is given no fee where the settings enable no network of Solana', async () => {
    const own = await World.create(test);
    await useNodes(own, {});
    expect(await answered(own, '/solana/optimizeTransaction', optimized, 422)).toBe('unknown_network');
  });
});
