import { Injectable } from '@nestjs/common';
import { leastRecent } from '../../common/least-recent.js';
import { Clock } from '../../common/clock.js';
import { RecentAnswers } from '../recent-answers.js';
import { REPEATED_WITHIN_MS } from '../repeated.js';
import { UnitOfWork, type EnvironmentId, type Executor } from '../../database/index.js';
import { ChangeLog, SERVICE } from '../../organizations/index.js';
import { ScreeningChecksRepository } from './screening-checks.repository.js';
import { screeningUndecided, walletBlocked } from './screening.errors.js';
import { WALLET_BLOCKED } from './screening.events.js';
import { ScreeningRepository } from './screening.repository.js';
import { ScreeningSources, type Screened } from './screening-sources.js';

/** Decisions use no older results. */
const MAX_AGE_MS = 60_000;
const MAX_KNOWN = 50_000;
const MAX_ENVIRONMENTS = 10_000;
const SWITCH_AGE_MS = 1_000;

/** Screens wallets in environments that have it enabled. */
@Injectable()
export class WalletScreening {
  /** Unlisted addresses. Hits and outages are never cached: each refusal is reported. */
  private readonly clean = leastRecent<string, { screened: Screened; at: number }>(MAX_KNOWN);
  private readonly switches = new RecentAnswers<EnvironmentId, { isOn: boolean }>({
    max: MAX_ENVIRONMENTS,
    ttlMs: SWITCH_AGE_MS,
  });

  constructor(
    private readonly integrations: ScreeningRepository,
    private readonly sources: ScreeningSources,
    private readonly checks: ScreeningChecksRepository,
    private readonly changes: ChangeLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async isOn(environmentId: EnvironmentId, on: Executor): Promise<boolean> {
    const { isOn } = await this.switches.get(environmentId, async () => ({
      isOn: await this.integrations.isOn(environmentId, on),
    }));
    return isOn;
  }

  /** On this instance the next caller re-reads the switch; on others, within a second. */
  forget(environmentId: EnvironmentId): void {
    this.switches.forget(environmentId);
  }

  /** The cached results for all addresses, if they stay valid for as long; null when a source must be queried. */
  recall(addresses: readonly string[], validForMs = 0): Screened[] | null {
    const known = addresses.map((address) => this.clean.get(address));
    const oldest = this.clock.timestamp() - MAX_AGE_MS + validForMs;
    return known.every((one) => one !== undefined && one.at > oldest) ? known.map((one) => one!.screened) : null;
  }

  /**
   * Called outside any transaction. A refusal is published and stored before it is thrown.
   * @param userId null for a user who is not known yet
   * @throws walletBlocked, screeningUndecided
   */
  async assertClean(environmentId: EnvironmentId, addresses: readonly string[], userId: string | null): Promise<void> {
    // Not stored again: their age counts from the answer of a source.
    if (this.recall(addresses, REPEATED_WITHIN_MS)) return;
    const at = this.clock.timestamp();
    const screened = await this.sources.screen(addresses);
    for (const one of screened) if (one.result === 'OK') this.clean.set(one.address, { screened: one, at });
    const hits = screened.filter(({ result }) => result === 'BLOCKED');
    const isDecided = screened.every(({ result }) => result === 'OK');
    if (isDecided) return;
    await this.tell(environmentId, screened, hits, userId);
    const [hit] = hits;
    throw hit ? walletBlocked({ payload: { walletPublicKey: hit.address } }) : screeningUndecided();
  }

  /** Stores the results for a user's wallets. */
  keep(environmentId: EnvironmentId, userId: string, screened: readonly Screened[], on: Executor): Promise<void> {
    return this.checks.keep(environmentId, userId, screened, on);
  }

  private async tell(
    environmentId: EnvironmentId,
    screened: readonly Screened[],
    hits: readonly Screened[],
    userId: string | null,
  ): Promise<void> {
    await this.work.run(async (tx) => {
      if (userId !== null) await this.checks.keep(environmentId, userId, screened, tx);
      for (const { address, response } of hits) {
        const after = { walletPublicKey: address, response, ...(userId !== null && { userId }) };
        const change = { event: WALLET_BLOCKED, resource: { type: 'wallet', id: address }, before: null, after };
        await this.changes.record({ scope: { environmentId }, actor: SERVICE, ...change }, tx);
      }
    });
  }
}
