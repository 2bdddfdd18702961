import type { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { leastRecent } from '../../common/least-recent.js';
import { Clock } from '../../common/clock.js';
import type { EnvironmentId } from '../../database/index.js';
import {
  ChainReader,
  ChainUnreadableError,
  RpcNetworks,
  type NetworkRef,
  type ReadOptions,
} from '../../networks/index.js';
import { REPEATED_WITHIN_MS } from '../repeated.js';
import { isEvm, isNative, type HeldRule } from './gate-rules.js';
import { findingOf, unreadable, withoutWallets, type HeldWallet, type RuleFinding } from './rule-finding.js';
import { holdingsIn, readsOf } from './rule-reads.js';

/** Decisions use no older balances. */
const MAX_AGE_MS = 60_000;
const MAX_FINDINGS = 20_000;

/** `apart`: for background work, which is not batched with sign-ins, so that neither delays the other. */
type HowToRead = Pick<ReadOptions, 'apart' | 'maxAgeMs'>;

/** Reads the holdings that rules ask for, and caches them for a minute. */
@Injectable()
export class HoldingsReader {
  private readonly known: LRUCache<string, RuleFinding>;

  constructor(
    private readonly chains: ChainReader,
    private readonly networks: RpcNetworks,
    private readonly clock: Clock,
  ) {
    this.known = leastRecent(MAX_FINDINGS);
  }

  /** The cached finding, if it stays valid for as long; null when the chain must be read first. */
  recall(
    environmentId: EnvironmentId,
    rule: HeldRule,
    wallets: readonly HeldWallet[],
    validForMs = 0,
  ): RuleFinding | null {
    const own = walletsFor(rule, wallets);
    if (own.length === 0) return withoutWallets(rule);
    const finding = this.known.get(keyOf(environmentId, rule, own));
    const oldest = this.clock.timestamp() - MAX_AGE_MS + validForMs;
    return finding && (finding.readAt ?? 0) > oldest ? finding : null;
  }

  /** Reads what {@link recall} is asked for when the sign-in is repeated, anew where it would be too old by then. */
  async prepare(
    environmentId: EnvironmentId,
    rules: readonly HeldRule[],
    wallets: readonly HeldWallet[],
  ): Promise<void> {
    await this.read(environmentId, rules, wallets, { maxAgeMs: MAX_AGE_MS - REPEATED_WITHIN_MS });
  }

  /** One request per network for all rules. Never throws: a failed read is reported as unreadable. */
  async read(
    environmentId: EnvironmentId,
    rules: readonly HeldRule[],
    wallets: readonly HeldWallet[],
    how: HowToRead = {},
  ): Promise<RuleFinding[]> {
    // Concurrent reads are batched.
    return Promise.all(rules.map((rule) => this.find(environmentId, rule, walletsFor(rule, wallets), how)));
  }

  private async find(
    environmentId: EnvironmentId,
    rule: HeldRule,
    wallets: HeldWallet[],
    how: HowToRead,
  ): Promise<RuleFinding> {
    if (wallets.length === 0) return withoutWallets(rule);
    try {
      const network = { chain: rule.chain, networkId: rule.address.networkId };
      const finding = isEvm(rule.chain)
        ? await this.onEvm(environmentId, network, rule, wallets, how)
        : await this.onSolana(environmentId, network, rule, wallets, how);
      if (!how.apart) this.known.set(keyOf(environmentId, rule, wallets), finding);
      return finding;
    } catch (error) {
      if (!(error instanceof ChainUnreadableError)) throw error;
      return unreadable(rule, error.reason);
    }
  }

  private async onEvm(
    environmentId: EnvironmentId,
    ref: NetworkRef,
    rule: HeldRule,
    wallets: HeldWallet[],
    how: HowToRead,
  ): Promise<RuleFinding> {
    const { nativeDecimals } = await this.networks.get(environmentId, ref);
    const answers = await this.chains.multicall(environmentId, ref.networkId, readsOf(rule, wallets), how);
    return findingOf(rule, holdingsIn(rule, wallets, answers, nativeDecimals));
  }

  private async onSolana(
    environmentId: EnvironmentId,
    ref: NetworkRef,
    rule: HeldRule,
    wallets: HeldWallet[],
    how: HowToRead,
  ): Promise<RuleFinding> {
    const owners = wallets.map(({ address }) => address);
    if (isNative(rule)) {
      const { nativeDecimals } = await this.networks.get(environmentId, ref);
      const balances = await this.chains.solBalances(environmentId, ref, owners, how);
      const holdings = balances.map(({ value }, at) => ({ address: owners[at]!, amount: value }));
      return findingOf(rule, { holdings, decimals: nativeDecimals, ...seenOf(balances) });
    }
    const mint = rule.address.contractAddress;
    const [mints, held] = await Promise.all([
      this.chains.mints(environmentId, ref, [mint], how),
      this.chains.tokenHoldings(
        environmentId,
        ref,
        owners.map((owner) => ({ owner, mint })),
        how,
      ),
    ]);
    const holdings = held.map(({ value }, at) => ({ address: owners[at]!, amount: value.amount }));
    return findingOf(rule, { holdings, decimals: mints[0]?.value?.decimals ?? null, ...seenOf([...mints, ...held]) });
  }
}

const seenOf = (readings: readonly { blockNumber: bigint; readAt: number }[]) => ({
  blockNumber: readings[0]!.blockNumber,
  readAt: Math.min(...readings.map(({ readAt }) => readAt)),
});

const walletsFor = ({ chain, address: { networkId } }: HeldRule, wallets: readonly HeldWallet[]): HeldWallet[] =>
  wallets
    .filter((wallet) => (isEvm(chain) ? isEvm(wallet.chain) : wallet.chain === chain))
    .filter((wallet) => wallet.networkId === undefined || wallet.networkId === networkId);

const keyOf = (environmentId: string, rule: HeldRule, wallets: readonly HeldWallet[]): string =>
  `${environmentId} ${JSON.stringify(rule)} ${wallets.map(({ address }) => address).join()}`;
