import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { foreignText } from '../foreign-text.js';
import type { NetworkRef } from '../rpc/chain-reader.js';
import { ChainUnreadableError } from '../rpc/chain-unreadable.error.js';
import { isOfNode, type RpcReply } from '../rpc/json-rpc.js';
import { apartOf, RpcNetworks, type RpcNetwork } from '../rpc/rpc-networks.js';
import { RpcTransport } from '../rpc/rpc-transport.js';
import { accountOf, lamportsOf, tokenAccountOf, type TokenAccount } from '../rpc/solana-answers.js';
import {
  decodeTransaction,
  tableAddresses,
  transactionBytes,
  writableAccounts,
  type TableLookup,
} from '../solana/solana-transaction.js';
import { SingleFlight } from '../sources/single-flight.js';
import { KEPT_MS, type Approval, type Movement, type Outcome } from './outcome.js';
import { invalidTransaction } from './simulation.errors.js';

const NETWORKS: Readonly<Record<string, NetworkRef>> = {
  solana: { chain: 'SOL', networkId: 101 },
  mainnet: { chain: 'SOL', networkId: 101 },
  testnet: { chain: 'SOL', networkId: 102 },
  devnet: { chain: 'SOL', networkId: 103 },
  eclipse: { chain: 'ECLIPSE', networkId: 1 },
};

/** The network that a client's name or number refers to; null for an unknown name. */
export function solanaNetwork(name: string): NetworkRef | null {
  if (Object.hasOwn(NETWORKS, name)) return NETWORKS[name]!;
  return /^\d{1,9}$/.test(name) ? { chain: 'SOL', networkId: Number(name) } : null;
}

/** An account before or after the transaction; null if it does not exist. */
type State = { lamports: bigint; program: string; token: TokenAccount | null } | null;

/** The program that owns every address until it is assigned to another. */
const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const CONFIRMED = { commitment: 'confirmed', encoding: 'base64' };
const NONE: Outcome = { movements: [], approvals: [], failure: null };

/** Has nodes run transactions and compares the accounts before and after. Nothing is sent; no signature is needed. */
@Injectable()
export class SolanaSimulator {
  private readonly flights = new SingleFlight<Outcome>();

  constructor(
    private readonly networks: RpcNetworks,
    private readonly transport: RpcTransport,
  ) {}

  /**
   * The sum of what each transaction would do on its own: nodes simulate them one by one, each on the current state.
   *
   * @throws ChainUnreadableError, invalidTransaction
   */
  async run(
    environmentId: EnvironmentId,
    ref: NetworkRef,
    transactions: readonly string[],
    account: string,
  ): Promise<Outcome> {
    const network = apartOf(await this.networks.get(environmentId, ref), environmentId);
    const all = transactions.map((text) => {
      const bytes = transactionBytes(text);
      if (!bytes) throw invalidTransaction({ payload: { field: 'transactions' } });
      return bytes;
    });
    const outcomes = await Promise.all(
      all.map((bytes) => {
        const text = Buffer.from(bytes).toString('base64');
        return this.flights.run(`${network.key} ${account} ${text}`, () => this.one(network, bytes, text, account), {
          keptMs: KEPT_MS,
        });
      }),
    );
    return outcomes.reduce(
      (sum, each) => ({
        movements: [...sum.movements, ...each.movements],
        approvals: [...sum.approvals, ...each.approvals],
        failure: sum.failure ?? each.failure,
        givenTo: sum.givenTo ?? each.givenTo,
      }),
      NONE,
    );
  }

  private async one(network: RpcNetwork, bytes: Uint8Array, text: string, account: string): Promise<Outcome> {
    const transaction = decodeTransaction(bytes);
    const looked = await this.lookedUp(network, transaction.lookups);
    const addresses = [...new Set([account, ...writableAccounts(transaction), ...looked])];
    const options = {
      ...CONFIRMED,
      sigVerify: false,
      replaceRecentBlockhash: true,
      accounts: { encoding: 'base64', addresses },
    };
    const questions = [
      { method: 'getMultipleAccounts', params: [addresses, CONFIRMED] },
      { method: 'simulateTransaction', params: [text, options] },
    ];
    return this.transport.ask(network, questions, ([before, after]) => {
      // Some transactions are rejected before they run.
      if (after?.error && !isOfNode(after.error.code)) return { ...NONE, failure: after.error.message };
      const simulated = valueOf(after) as { err?: unknown; accounts?: unknown; logs?: unknown };
      if (simulated.err) return { ...NONE, failure: reasonOf(simulated) };
      return changesOf(
        account,
        addresses,
        statesOf(valueOf(before), addresses),
        statesOf(simulated.accounts, addresses),
      );
    });
  }

  /** The writable accounts from lookup tables on the chain: a token account in a table can be emptied just the same. */
  private async lookedUp(network: RpcNetwork, lookups: readonly TableLookup[]): Promise<string[]> {
    const writing = lookups.filter(({ writable }) => writable.length > 0);
    if (writing.length === 0) return [];
    const question = { method: 'getMultipleAccounts', params: [writing.map(({ table }) => table), CONFIRMED] };
    return this.transport.ask(network, [question], ([reply]) => {
      const tables = valueOf(reply);
      if (!Array.isArray(tables) || tables.length !== writing.length) throw garbage();
      return writing.flatMap(({ writable }, at) => {
        const table = tables[at] === null ? null : accountOf(tables[at]);
        // If the table or an index in it is missing, the transaction fails, as the simulation will show.
        const addresses = (table && tableAddresses(table.program, table.data)) ?? [];
        return writable.flatMap((place) => addresses[place] ?? []);
      });
    });
  }
}

const garbage = (): ChainUnreadableError => new ChainUnreadableError('garbage', 'the node answered no simulation');

function valueOf(reply: RpcReply | undefined): object {
  if (reply?.error) throw new ChainUnreadableError('garbage', `the node could not simulate (${reply.error.code})`);
  const value = (reply?.result as { value?: unknown } | null | undefined)?.value;
  if (typeof value !== 'object' || value === null) throw garbage();
  return value;
}

function statesOf(value: unknown, addresses: readonly string[]): State[] {
  if (!Array.isArray(value) || value.length !== addresses.length) throw garbage();
  return (value as unknown[]).map((account) => {
    if (account === null) return null;
    const lamports = lamportsOf((account as { lamports?: unknown }).lamports);
    return { lamports, program: accountOf(account).program, token: tokenAccountOf(account) };
  });
}

/** The node's error, and the last error a program logged, which is usually the reason. */
function reasonOf({ err, logs }: { err?: unknown; logs?: unknown }): string {
  const words = typeof err === 'string' ? err : JSON.stringify(err);
  const lines = Array.isArray(logs) ? (logs as unknown[]).filter((line) => typeof line === 'string') : [];
  const said = lines.filter((line) => /^Program log: .*error|insufficient/i.test(line));
  const last = (said.at(-1) ?? '').replace(/^Program log: /, '');
  return foreignText(`${words}${last && `: ${last}`}`, 300);
}

/** Changes to the account's own lamports, including its fee, and to its token accounts. */
function changesOf(
  account: string,
  addresses: readonly string[],
  before: readonly State[],
  after: readonly State[],
): Outcome {
  const changes = new Map<string | null, bigint>([[null, (after[0]?.lamports ?? 0n) - (before[0]?.lamports ?? 0n)]]);
  const others = new Map<string | null, Map<string, bigint>>();
  const approvals: Approval[] = [];
  addresses.forEach((address, at) => {
    const [was, is] = [before[at] ?? null, after[at] ?? null];
    if (address !== account && !was?.token && !is?.token) {
      count(others, null, address, (is?.lamports ?? 0n) - (was?.lamports ?? 0n));
    }
    for (const [token, sign] of [
      [was?.token, -1n],
      [is?.token, 1n],
    ] as const) {
      if (!token) continue;
      if (token.owner === account) changes.set(token.mint, (changes.get(token.mint) ?? 0n) + sign * token.amount);
      else count(others, token.mint, token.owner, sign * token.amount);
    }
    approvals.push(...approvalsOf(account, address, was?.token ?? null, is?.token ?? null));
  });
  const movements = [...changes].flatMap(([token, change]) => movementOf(account, token, change, others.get(token)));
  const [own, later] = [before[0], after[0]];
  // A change of owner transfers nothing, but the new program controls everything in the account. An address without an
  // account belongs to the system program.
  const givenTo = later && later.program !== (own?.program ?? SYSTEM_PROGRAM) ? later.program : undefined;
  return { movements, approvals, failure: null, givenTo };
}

function count(
  all: Map<string | null, Map<string, bigint>>,
  token: string | null,
  owner: string,
  change: bigint,
): void {
  const own = all.get(token) ?? new Map<string, bigint>();
  own.set(owner, (own.get(owner) ?? 0n) + change);
  all.set(token, own);
}

/** The counterparty: whoever has the largest opposite change; the system program if there is none. */
function movementOf(account: string, token: string | null, change: bigint, others?: Map<string, bigint>): Movement[] {
  if (change === 0n) return [];
  const [partner] = [...(others ?? [])]
    .filter(([, own]) => own !== 0n && own > 0n !== change > 0n)
    .sort(([, a], [, b]) => (change < 0n ? (a > b ? -1 : 1) : a < b ? -1 : 1))
    .map(([owner]) => owner);
  const other = partner ?? SYSTEM_PROGRAM;
  const kind = token === null ? 'NATIVE' : 'SPL';
  const amount = change < 0n ? -change : change;
  return [{ token, kind, amount, ...(change < 0n ? { from: account, to: other } : { from: other, to: account }) }];
}

/** What others may take from a token account of this account afterwards, and could not before. */
function approvalsOf(account: string, holder: string, was: TokenAccount | null, is: TokenAccount | null): Approval[] {
  if (!is) return [];
  const by = (spender: string, amount: Approval['amount']): Approval[] => [
    { token: is.mint, kind: 'SPL', owner: account, spender, amount, holder },
  ];
  // Others will go on paying to the address, whoever it belongs to.
  if (is.owner !== account) return was?.owner === account ? by(is.owner, 'all') : [];
  const isLess = was?.delegate === is.delegate && was.delegatedAmount >= is.delegatedAmount;
  const amount = is.delegatedAmount >= 2n ** 63n ? 'all' : is.delegatedAmount;
  const delegated = is.delegate && !isLess ? by(is.delegate, amount) : [];
  // Whoever closes an account of wrapped SOL gets what is in it.
  const isClosable = is.isNative && is.closeAuthority && is.closeAuthority !== was?.closeAuthority;
  return [...delegated, ...(isClosable ? by(is.closeAuthority!, 'all') : [])];
}
