import { address, getBase58Encoder, getTransactionDecoder, lamports } from '@solana/kit';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';
import { RpcNode, type Call } from './rpc-node.js';

export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
const RENT = lamports(10_000_000n);
const base58 = getBase58Encoder();
const INITIALISED = 1;

/** An in-process Solana runtime, behind the HTTP methods of a node that the service uses. */
export class SolanaNode {
  private constructor(
    readonly svm: LiteSVM,
    readonly node: RpcNode,
  ) {}

  static async start(): Promise<SolanaNode> {
    const svm = new LiteSVM().withSigverify(false).withBlockhashCheck(false);
    return new SolanaNode(svm, await RpcNode.start((call) => ({ result: answer(svm, call) })));
  }

  fund(owner: string, amount: bigint): void {
    this.svm.airdrop(address(owner), lamports(amount));
  }

  mint(at: string, decimals: number, program = TOKEN): void {
    const data = Buffer.alloc(program === TOKEN ? 82 : 166);
    data.writeBigUInt64LE(1_000_000_000n, 36);
    data[44] = decimals;
    data[45] = INITIALISED;
    // Token-2022 marks accounts with extensions as a mint (1) or a token account (2).
    if (program === TOKEN_2022) data[165] = 1;
    this.put(at, data, program);
  }

  tokenAccount(at: string, token: { mint: string; owner: string; amount: bigint }, program = TOKEN): void {
    const data = Buffer.alloc(program === TOKEN ? 165 : 166);
    data.set(base58.encode(token.mint), 0);
    data.set(base58.encode(token.owner), 32);
    data.writeBigUInt64LE(token.amount, 64);
    data[108] = INITIALISED;
    if (program === TOKEN_2022) data[165] = 2;
    this.put(at, data, program);
  }

  /** A token account of wrapped SOL: what it has is its lamports beyond the rent. */
  wrap(at: string, owner: string, amount: bigint): void {
    const data = Buffer.alloc(165);
    data.set(base58.encode(WRAPPED_SOL), 0);
    data.set(base58.encode(owner), 32);
    data.writeBigUInt64LE(amount, 64);
    data[108] = INITIALISED;
    data.writeUInt32LE(1, 109);
    data.writeBigUInt64LE(BigInt(RENT), 113);
    this.put(at, data, TOKEN, lamports(BigInt(RENT) + amount));
  }

  /** A lookup table of addresses that transactions may refer to by index. */
  table(at: string, addresses: readonly string[]): void {
    const data = Buffer.alloc(56 + 32 * addresses.length);
    data.writeUInt32LE(1, 0);
    data.writeBigUInt64LE(2n ** 64n - 1n, 4);
    // The number of addresses before the slot in which it was last extended: all of them can be used now.
    data[20] = addresses.length;
    addresses.forEach((each, place) => data.set(base58.encode(each), 56 + 32 * place));
    this.put(at, data, 'AddressLookupTab1e1111111111111111111111111');
  }

  private put(at: string, data: Buffer, program: string, has = RENT): void {
    this.svm.setAccount({
      address: address(at),
      data: new Uint8Array(data),
      executable: false,
      lamports: has,
      programAddress: address(program),
      space: BigInt(data.length),
    });
  }
}

type Config = { dataSlice?: { offset: number; length: number } } | undefined;

function answer(svm: LiteSVM, { method, params }: Call): unknown {
  const context = { slot: Number(svm.getClock().slot) };
  const [first, second, third] = params as [string, { mint?: string } | undefined, Config];
  const shown = (account: { data: ArrayLike<number>; programAddress: string }, config: Config) => {
    const { offset = 0, length = account.data.length } = config?.dataSlice ?? {};
    return {
      owner: account.programAddress,
      data: [
        Buffer.from(account.data)
          .subarray(offset, offset + length)
          .toString('base64'),
        'base64',
      ],
    };
  };
  switch (method) {
    case 'getSlot':
      return context.slot;
    case 'getGenesisHash':
      return '11111111111111111111111111111111';
    case 'getBalance':
      return { context, value: Number(svm.getBalance(address(first)) ?? 0n) };
    case 'getAccountInfo': {
      const account = svm.getAccount(address(first));
      return { context, value: account.exists ? shown(account, second as Config) : null };
    }
    case 'getTokenAccountsByOwner': {
      if ((second as { programId?: string }).programId) return byProgram(svm, first, second as never, third, context);
      const [mint, owner] = [base58.encode(second!.mint!), base58.encode(first)];
      const all = [TOKEN, TOKEN_2022].flatMap((program) => svm.getProgramAccounts(address(program)));
      const own = all.filter(
        ({ data }) =>
          data.length >= 165 &&
          addressAt(data, 0) === addressAt(mint, 0) &&
          addressAt(data, 32) === addressAt(owner, 0),
      );
      return { context, value: own.map((account) => ({ pubkey: account.address, account: shown(account, third) })) };
    }
    case 'getMultipleAccounts':
      return { context, value: (params[0] as string[]).map((each) => wholeAccount(svm, each)) };
    case 'simulateTransaction':
      return { context, value: simulated(svm, params as never) };
    case 'getRecentPrioritizationFees':
      return FEES.map((prioritizationFee, at) => ({ slot: at + 1, prioritizationFee }));
    default:
      throw new Error(`A node here does not do ${method}.`);
  }
}

/** Priority fees in the blocks of the last minute, in micro-lamports. */
export const FEES = [0, 100, 2_000, 5_000];

type Shown = { owner: string; lamports: number; data: [string, 'base64']; executable: boolean; rentEpoch: number };

function shownWhole(account: { data: ArrayLike<number>; programAddress: string; lamports: bigint }): Shown {
  const data = Buffer.from(account.data).toString('base64');
  const { programAddress: owner, lamports: own } = account;
  return { owner, lamports: Number(own), data: [data, 'base64'], executable: false, rentEpoch: 0 };
}

function wholeAccount(svm: LiteSVM, at: string): Shown | null {
  const account = svm.getAccount(address(at));
  return account.exists && account.lamports > 0n ? shownWhole(account) : null;
}

function byProgram(svm: LiteSVM, owner: string, { programId }: { programId: string }, config: Config, context: object) {
  const wanted = base58.encode(owner);
  const own = svm
    .getProgramAccounts(address(programId))
    .filter(({ data }) => data.length >= 165 && addressAt(data, 32) === addressAt(wanted, 0));
  const { offset = 0, length = 165 } = config?.dataSlice ?? {};
  const shown = own.map(({ address: pubkey, data, programAddress }) => {
    const part = Buffer.from(data).subarray(offset, offset + length);
    return { pubkey, account: { owner: programAddress, data: [part.toString('base64'), 'base64'] } };
  });
  return { context, value: shown };
}

/** Like a node with `sigVerify: false` and `replaceRecentBlockhash: true`: the runtime checks neither. */
function simulated(svm: LiteSVM, [wire, { accounts }]: [string, { accounts: { addresses: string[] } }]): object {
  const transaction = getTransactionDecoder().decode(Buffer.from(wire, 'base64'));
  const result = svm.simulateTransaction(transaction);
  const logs = result.meta().logs();
  if (result instanceof FailedTransactionMetadata) {
    return { err: String(result.err()), logs, accounts: accounts.addresses.map(() => null) };
  }
  const after = new Map(result.postAccounts().map((account) => [String(account.address), account]));
  const shown = accounts.addresses.map((each) => {
    const account = after.get(each);
    if (!account) return wholeAccount(svm, each);
    return account.lamports > 0n ? shownWhole(account) : null;
  });
  return { err: null, logs, accounts: shown };
}

/** The 32 bytes at an offset, for comparison. */
const addressAt = (bytes: Iterable<number>, at: number): string => [...bytes].slice(at, at + 32).join();
