import { describe, expect, it } from '@jest/globals';
import { Transaction as SuiTransaction } from '@mysten/sui/transactions';
import { base58 } from '@scure/base';
import { concatHex, encodeFunctionData, parseAbi, serializeTransaction, type Abi, type Hex } from 'viem';
import { effectsOf, type SigningRequest } from '../../custody/index.js';
import { parsePolicyRule } from './parse-policy-rule.js';
import type { WaasChain } from './policy.dto.js';
import { judge } from './policy-judgement.js';

const isSigned = (
  { chain, ruleType, addresses }: { chain: WaasChain; ruleType: 'allow' | 'deny'; addresses: string[] },
  request: SigningRequest,
): boolean => {
  const rule = parsePolicyRule({ name: 'r', ruleType, chain, addresses }, '0');
  const effects = effectsOf({ chain: rule.chain, address: '' }, request);
  return judge([rule], { chain: rule.chain, networkId: null, effects }, new Map()).isAllowed;
};

describe('on EVM', () => {
  const [token, thief, shop] = ['11', '22', '33'].map((byte) => `0x${byte.repeat(20)}`) as [Hex, Hex, Hex];
  const abi: Abi = parseAbi([
    'function transfer(address to, uint256 amount)',
    'function transferFrom(address from, address to, uint256 amount)',
    'function approve(address spender, uint256 amount)',
    'function increaseAllowance(address spender, uint256 amount)',
    'function safeTransferFrom(address from, address to, uint256 id, bytes data)',
    'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
    'function setApprovalForAll(address operator, bool approved)',
    'function deposit(address to, uint256 amount)',
    'function transferAndCall(address to, uint256 amount, bytes data)',
    'function transferFromAndCall(address from, address to, uint256 amount, bytes data)',
    'function approveAndCall(address spender, uint256 amount, bytes data)',
    'function send(address to, uint256 amount, bytes data)',
    'function operatorSend(address from, address to, uint256 amount, bytes data, bytes operatorData)',
    'function authorizeOperator(address operator)',
  ]);
  /** The same names with fewer or other arguments, which have other selectors. */
  const short: Abi = parseAbi([
    'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
    'function transfer(address to, uint256 amount, bytes data)',
    'function transferAndCall(address to, uint256 amount)',
    'function transferFromAndCall(address from, address to, uint256 amount)',
    'function approveAndCall(address spender, uint256 amount)',
    'function approve(address token, address spender, uint160 amount, uint48 expiration)',
    'function transferFrom(address from, address to, uint160 amount, address token)',
  ]);
  const vault: Abi = parseAbi([
    'function deposit(uint256 assets, address receiver)',
    'function mint(uint256 shares, address receiver)',
    'function withdraw(uint256 assets, address receiver, address owner)',
    'function redeem(uint256 shares, address receiver, address owner)',
  ]);
  const ids: Abi = parseAbi([
    'function transfer(address receiver, uint256 id, uint256 amount)',
    'function transferFrom(address sender, address receiver, uint256 id, uint256 amount)',
    'function approve(address spender, uint256 id, uint256 amount)',
    'function setOperator(address operator, bool approved)',
  ]);
  const [one, many]: Abi[] = [
    parseAbi([
      'struct Permit { Permitted permitted; uint256 nonce; uint256 deadline; }',
      'struct Permitted { address token; uint256 amount; }',
      'struct Sent { address to; uint256 requestedAmount; }',
      'function permitTransferFrom(Permit permit, Sent sent, address owner, bytes signature)',
      'function permitWitnessTransferFrom(Permit permit, Sent sent, address owner, bytes32 witness, string witnessType, bytes signature)',
    ]),
    parseAbi([
      'struct Taken { address from; address to; uint160 amount; address token; }',
      'struct Permit { Permitted[] permitted; uint256 nonce; uint256 deadline; }',
      'struct Permitted { address token; uint256 amount; }',
      'struct Sent { address to; uint256 requestedAmount; }',
      'function transferFrom(Taken[] taken)',
      'function permitTransferFrom(Permit permit, Sent[] sent, address owner, bytes signature)',
      'function permitWitnessTransferFrom(Permit permit, Sent[] sent, address owner, bytes32 witness, string witnessType, bytes signature)',
    ]),
  ];
  const permitted = { token, amount: 1n };
  const permit = { permitted, nonce: 0n, deadline: 0n };
  const permits = { ...permit, permitted: [permitted, permitted] };
  const sent = (to: Hex) => ({ to, requestedAmount: 1n });
  const taken = (to: Hex) => ({ from: shop, to, amount: 1n, token });
  const witness = [`0x${'00'.repeat(32)}`, '', '0x'];
  const call = (functionName: string, args: unknown[], tail: Hex = '0x', of: Abi = abi): SigningRequest => {
    const data = concatHex([encodeFunctionData({ abi: of, functionName, args }), tail]);
    return {
      kind: 'evmTransaction',
      transaction: serializeTransaction({ chainId: 1, to: token, maxFeePerGas: 1n, data }),
    };
  };
  const typed = (members: Record<string, string>): SigningRequest => {
    const types = { Given: Object.keys(members).map((name) => ({ name, type: 'address' })) };
    const domain = { chainId: 1, verifyingContract: token };
    return { kind: 'typedData', typedData: { types, primaryType: 'Given', domain, message: members } };
  };
  const denied = (request: SigningRequest): boolean =>
    !isSigned({ chain: 'EVM', ruleType: 'deny', addresses: [thief] }, request);

  it.each([
    ['transfer', (to: Hex) => call('transfer', [to, 1n])],
    ['transferFrom', (to: Hex) => call('transferFrom', [shop, to, 1n])],
    ['approve', (to: Hex) => call('approve', [to, 1n])],
    ['increaseAllowance', (to: Hex) => call('increaseAllowance', [to, 1n])],
    ['safeTransferFrom', (to: Hex) => call('safeTransferFrom', [shop, to, 1n, '0x'])],
    ['safeBatchTransferFrom', (to: Hex) => call('safeBatchTransferFrom', [shop, to, [1n], [1n], '0x'])],
    ['setApprovalForAll', (to: Hex) => call('setApprovalForAll', [to, true])],
    ['transferAndCall', (to: Hex) => call('transferAndCall', [to, 1n, '0x'])],
    ['transferFromAndCall', (to: Hex) => call('transferFromAndCall', [shop, to, 1n, '0x'])],
    ['approveAndCall', (to: Hex) => call('approveAndCall', [to, 1n, '0x'])],
    ['send', (to: Hex) => call('send', [to, 1n, '0x'])],
    ['operatorSend', (to: Hex) => call('operatorSend', [shop, to, 1n, '0x', '0x'])],
    ['authorizeOperator', (to: Hex) => call('authorizeOperator', [to])],
    ['safeTransferFrom of many', (to: Hex) => call('safeTransferFrom', [shop, to, 1n, 1n, '0x'], '0x', short)],
    ['transfer with data', (to: Hex) => call('transfer', [to, 1n, '0x'], '0x', short)],
    ['transferAndCall without data', (to: Hex) => call('transferAndCall', [to, 1n], '0x', short)],
    ['transferFromAndCall without data', (to: Hex) => call('transferFromAndCall', [shop, to, 1n], '0x', short)],
    ['approveAndCall without data', (to: Hex) => call('approveAndCall', [to, 1n], '0x', short)],
    ['approve of Permit2', (to: Hex) => call('approve', [shop, to, 1n, 0], '0x', short)],
    ['transferFrom of Permit2', (to: Hex) => call('transferFrom', [shop, to, 1n, shop], '0x', short)],
    ['one of several transfers by Permit2', (to: Hex) => call('transferFrom', [[taken(shop), taken(to)]], '0x', many)],
    [
      'a signed transfer by Permit2',
      (to: Hex) => call('permitTransferFrom', [permit, sent(to), shop, '0x'], '0x', one),
    ],
    [
      'one of several signed transfers by Permit2',
      (to: Hex) => call('permitTransferFrom', [permits, [sent(shop), sent(to)], shop, '0x'], '0x', many),
    ],
    [
      'a signed transfer with a witness',
      (to: Hex) => call('permitWitnessTransferFrom', [permit, sent(to), shop, ...witness], '0x', one),
    ],
    [
      'one of several with a witness',
      (to: Hex) => call('permitWitnessTransferFrom', [permits, [sent(shop), sent(to)], shop, ...witness], '0x', many),
    ],
    ['deposit of a vault', (to: Hex) => call('deposit', [1n, to], '0x', vault)],
    ['mint of a vault', (to: Hex) => call('mint', [1n, to], '0x', vault)],
    ['withdraw of a vault', (to: Hex) => call('withdraw', [1n, to, shop], '0x', vault)],
    ['redeem of a vault', (to: Hex) => call('redeem', [1n, to, shop], '0x', vault)],
    ['transfer of one of many tokens', (to: Hex) => call('transfer', [to, 7n, 1n], '0x', ids)],
    ['transferFrom of one of many tokens', (to: Hex) => call('transferFrom', [shop, to, 7n, 1n], '0x', ids)],
    ['approve of one of many tokens', (to: Hex) => call('approve', [to, 7n, 1n], '0x', ids)],
    ['setOperator', (to: Hex) => call('setOperator', [to, true], '0x', ids)],
    ['a permit', (spender: Hex) => typed({ owner: shop, spender })],
    ['a permit for all of a collection', (operator: Hex) => typed({ owner: shop, operator })],
    ['an authorization of EIP-3009', (to: Hex) => typed({ from: shop, to })],
    ['an order for what is bought', (receiver: Hex) => typed({ sellToken: token, buyToken: shop, receiver })],
  ])('who is denied gets nothing by %s, and others do', (_, to) => {
    expect([denied(to(thief)), denied(to(shop))]).toEqual([true, false]);
  });

  it('who is denied gets nothing by a transfer that is written in another way, and calls of others name nobody', () => {
    expect(denied(call('transfer', [shop, 1n], '0x00'))).toBe(true);
    expect(denied(call('transferFrom', [[taken(shop)]], '0x00', many))).toBe(true);
    expect(denied(call('transferFrom', [[]], '0x', many))).toBe(false);
    expect(denied(call('deposit', [thief, 1n]))).toBe(false);
  });

  it('who is denied is so however typed data writes their address', () => {
    const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    const rule = { chain: 'EVM', ruleType: 'deny' } as const;
    expect(isSigned({ ...rule, addresses: [address] }, typed({ to: address.toLowerCase() }))).toBe(false);
  });

  it('who is allowed is not allowed what a token gives to them', () => {
    const rule = { chain: 'EVM', ruleType: 'allow', addresses: [shop] } as const;
    expect(isSigned({ ...rule, addresses: [shop] }, call('transfer', [shop, 1n]))).toBe(false);
    expect(isSigned({ ...rule, addresses: [token] }, call('transfer', [shop, 1n]))).toBe(true);
  });
});

describe('on Solana', () => {
  const [own, thief, shop, mint, delegate] = [1, 2, 3, 4, 5].map((byte) => base58.encode(Buffer.alloc(32, byte))) as [
    ...[string, string, string, string, string],
  ];
  const SYSTEM = '11111111111111111111111111111111';
  const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
  const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
  const OTHER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
  const amount = [8, 0, 0, 0, 0, 0, 0, 0];

  interface Made {
    readonly program: string;
    readonly accounts: readonly string[];
    readonly data: readonly number[];
  }
  const request = ({ program, accounts, data }: Made): SigningRequest => {
    const keys = [...new Set([own, ...accounts, program].filter((one) => one !== 'looked up'))];
    const placeOf = (key: string): number => (key === 'looked up' ? keys.length : keys.indexOf(key));
    const at = accounts.map(placeOf);
    const instruction = [placeOf(program), at.length, ...at, data.length, ...data];
    const transaction = Buffer.concat([
      ...[Buffer.of(1), Buffer.alloc(64), Buffer.of(0x80, 1, 0, 0, keys.length)],
      ...keys.map((key) => base58.decode(key)),
      ...[Buffer.alloc(32), Buffer.of(1, ...instruction), Buffer.of(0)],
    ]);
    return { kind: 'solanaTransaction', transaction };
  };
  const denied = (address: string, made: Made): boolean =>
    !isSigned({ chain: 'SVM', ruleType: 'deny', addresses: [address] }, request(made));
  const allowed = (address: string, made: Made): boolean =>
    isSigned({ chain: 'SVM', ruleType: 'allow', addresses: [address] }, request(made));

  const transfer = (to: string): Made => ({ program: TOKEN, accounts: [own, to, own], data: [3, ...amount] });
  const checked = (to: string): Made => ({ program: TOKEN, accounts: [own, mint, to, own], data: [12, ...amount, 6] });
  const withFee = (to: string): Made => ({
    ...{ program: TOKEN_2022, accounts: [own, mint, to, own] },
    data: [26, 1, ...amount, 6, ...amount],
  });
  const close = (to: string): Made => ({ program: TOKEN, accounts: [own, to, own], data: [9] });
  const create = (to: string): Made => ({
    ...{ program: SYSTEM, accounts: [own, to] },
    data: [0, 0, 0, 0, ...amount, ...amount, ...Buffer.alloc(32)],
  });
  const approve: Made = { program: TOKEN, accounts: [own, delegate, own], data: [4, ...amount] };

  it.each([
    ['TransferChecked', checked],
    ['Transfer', transfer],
    ['TransferCheckedWithFee', withFee],
    ['CloseAccount', close],
    ['CreateAccount', create],
  ])('who is denied gets nothing by %s, and others do', (_, to) => {
    expect(denied(thief, to(thief))).toBe(true);
    expect(denied(thief, to('looked up'))).toBe(true);
    expect(denied(thief, to(shop))).toBe(false);
  });

  it('an instruction whose receiver is not read may be for anyone', () => {
    const unread: [string, Made][] = [
      ['an approval', approve],
      ['a transfer with bytes behind it', { ...transfer(shop), data: [...transfer(shop).data, 0] }],
      ['one without an account to receive', { ...transfer(shop), accounts: [own] }],
      ['one of a program that is looked up', { ...transfer(shop), program: 'looked up' }],
      [
        'another one with the first byte of TransferCheckedWithFee',
        { ...withFee(shop), data: [26, 0, ...Buffer.alloc(17)] },
      ],
      ['many in one', { ...transfer(shop), data: [255, 3, 9, ...transfer(shop).data] }],
      ['coins with bytes behind them', { program: SYSTEM, accounts: [own, shop], data: [2, 0, 0, 0, ...amount, 0] }],
      ['coins out of a nonce', { program: SYSTEM, accounts: [own, shop], data: [5, 0, 0, 0, ...amount] }],
    ];
    for (const [name, made] of unread) expect([name, denied(thief, made)]).toEqual([name, true]);
  });

  it('who is denied gets no tokens of a mint that is looked up, and others do', () => {
    const looked = (to: string): Made => ({ ...checked(to), accounts: [own, 'looked up', to, own] });
    expect([denied(thief, looked(thief)), denied(thief, looked(shop))]).toEqual([true, false]);
  });

  it('what gives nobody anything passes, and so do programs of others, which are denied by their own address', () => {
    expect(denied(thief, { program: TOKEN, accounts: [own, own], data: [5] })).toBe(false);
    expect(denied(thief, { program: TOKEN, accounts: [own], data: [17] })).toBe(false);
    expect(denied(thief, { program: SYSTEM, accounts: [own], data: [4, 0, 0, 0] })).toBe(false);
    const foreign: Made = { program: OTHER, accounts: [own, thief], data: [3, ...amount] };
    expect(denied(thief, foreign)).toBe(false);
    expect(denied(OTHER, foreign)).toBe(true);
  });

  it('a program that is denied is denied with all of its instructions', () => {
    for (const made of [transfer(shop), checked(shop), approve]) expect(denied(TOKEN, made)).toBe(true);
    const coins: Made = { program: SYSTEM, accounts: [own, shop], data: [2, 0, 0, 0, ...amount] };
    expect(denied(SYSTEM, coins)).toBe(true);
    expect(denied(thief, coins)).toBe(false);
  });

  it('nothing more is allowed: a program where it was, a receiver where the mint is named', () => {
    expect(allowed(shop, checked(shop))).toBe(true);
    expect(allowed(TOKEN, checked(shop))).toBe(false);
    for (const made of [transfer(shop), close(shop), { ...approve, accounts: [own, shop, own] }]) {
      expect(allowed(shop, made)).toBe(false);
      expect(allowed(TOKEN, made)).toBe(true);
    }
    expect(allowed(shop, withFee(shop))).toBe(false);
    expect(allowed(TOKEN_2022, withFee(shop))).toBe(true);
    expect(allowed(shop, create(shop))).toBe(false);
  });
});

describe('on Sui', () => {
  const [thief, shop] = [`0x${'4'.repeat(64)}`, `0x${'5'.repeat(64)}`];
  const coin = { objectId: `0x${'3'.repeat(64)}`, version: '7', digest: base58.encode(Buffer.alloc(32, 5)) };
  const request = async (build: (transaction: SuiTransaction) => void): Promise<SigningRequest> => {
    const transaction = new SuiTransaction();
    transaction.setSender(shop);
    transaction.setGasPayment([coin]);
    transaction.setGasPrice(1000);
    transaction.setGasBudget(5_000_000);
    build(transaction);
    return { kind: 'suiTransaction', transaction: Buffer.from(await transaction.build()) };
  };
  const calling = (target: string, to: string): Promise<SigningRequest> =>
    request((one) => void one.moveCall({ target, arguments: [one.gas, one.pure.address(to)] }));
  const denied = async (address: string, made: Promise<SigningRequest>): Promise<boolean> =>
    !isSigned({ chain: 'SUI', ruleType: 'deny', addresses: [address] }, await made);
  const allowed = async (address: string, made: Promise<SigningRequest>): Promise<boolean> =>
    isSigned({ chain: 'SUI', ruleType: 'allow', addresses: [address] }, await made);

  it('who is denied gets nothing by a call of the framework, and others do where it is read', async () => {
    const transfer = '0x2::transfer::public_transfer';
    expect(await denied(thief, calling(transfer, thief))).toBe(true);
    expect(await denied(thief, calling(transfer, shop))).toBe(false);
    const unread = request((one) => {
      const [to] = one.moveCall({ target: '0xabc::somebody::of_choice' });
      one.moveCall({ target: transfer, arguments: [one.gas, to!] });
    });
    expect(await denied(thief, unread)).toBe(true);
    for (const target of ['0x2::pay::split_and_transfer', '0x2::coin::send_funds', '0x2::public::public_transfer']) {
      expect(await denied(thief, calling(target, shop))).toBe(true);
    }
  });

  it('calls that give nobody anything pass, and so do other packages, which are denied by their own address', async () => {
    expect(await denied(thief, calling('0x2::coin::value', shop))).toBe(false);
    expect(await denied(thief, calling('0xabc::transfer::public_transfer', thief))).toBe(false);
    expect(await denied('0xabc', calling('0xabc::transfer::public_transfer', shop))).toBe(true);
    expect(await denied('0x2', calling('0x2::coin::value', shop))).toBe(true);
  });

  it('nothing more is allowed: the package, and not the receiver', async () => {
    const made = calling('0x2::transfer::public_transfer', shop);
    expect(await allowed(shop, made)).toBe(false);
    expect(await allowed('0x2', made)).toBe(true);
  });
});
