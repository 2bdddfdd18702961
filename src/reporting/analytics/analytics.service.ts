import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { invalidFields } from '../../common/http/validation.pipe.js';
import type { EnvironmentId } from '../../database/index.js';
import { storedNamesOf } from '../../identity/index.js';
import { CHAINS } from '../../networks/index.js';
import { AnalyticsReadsRepository, MOST_NAMES, type Bucket, type Stretch } from './analytics-reads.repository.js';
import type {
  AnalyticsDatesQuery,
  AnalyticsOverviewQuery,
  AnalyticsOverviewResponse,
  AnalyticsQuery,
  AnalyticsSessionsByDate,
  AnalyticsToplineResponse,
  AnalyticsVisitResponse,
  AnalyticsWalletsQuery,
  AnalyticsWalletsResponse,
  SessionsTrendResult,
  WalletNameCount,
} from './analytics.dto.js';
import type { PersonKind } from './analytics.entities.js';
import { assertSeries, localDays, recentDays, type LocalDays } from './local-days.js';
import { slotsBetween, type Slot } from './slots.js';

const RANGE = ['start', 'end'] as const;
const ALWAYS: Stretch = { from: new Date(Date.UTC(2000, 0)), until: new Date(Date.UTC(2101, 0)) };

const slotsOf = ({ from, until }: Stretch): Slot[] => slotsBetween(from.getTime(), until.getTime());

/** A single range from the start of the first bucket to the end of the last. */
export const wholeOf = (buckets: readonly Bucket[]): Bucket => ({ ...buckets[0]!, until: buckets.at(-1)!.until });

/** The figures of an environment for its team. */
@Injectable()
export class AnalyticsService {
  constructor(
    private readonly figures: AnalyticsReadsRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws validation_failed */
  async overview(environmentId: EnvironmentId, query: AnalyticsOverviewQuery): Promise<AnalyticsOverviewResponse> {
    const days = assertSeries(localDays(RANGE, query), 'end');
    const buckets = await this.figures.listBuckets(days, query.granularity);
    const [people, byLoginMethod, byOperatingSystem] = await Promise.all([
      this.figures.countPeople(environmentId, 'user', buckets),
      this.trend(environmentId, 'sessions.method', buckets),
      this.trend(environmentId, 'sessions.system', buckets),
    ]);
    const activeUsers = buckets.map(({ date }, at) => ({ date, nUsers: people[at]! }));
    return { activeUsers, sessions: { byLoginMethod, byOperatingSystem } };
  }

  /** @throws validation_failed */
  async topline(environmentId: EnvironmentId, query: AnalyticsQuery): Promise<AnalyticsToplineResponse> {
    const stretches = [ALWAYS, await this.rangeOf(localDays(RANGE, query))];
    const slots = stretches.map(slotsOf);
    const [sessions, wallets, [allTime, inRange]] = await Promise.all([
      this.totals(environmentId, 'sessions', slots),
      this.totals(environmentId, 'wallets', slots),
      this.figures.countPeople(environmentId, 'user', stretches),
    ]);
    return { sessions, users: { allTime: allTime!, inRange: inRange! }, wallets };
  }

  /** @throws validation_failed */
  async walletsOfChain(environmentId: EnvironmentId, query: AnalyticsWalletsQuery): Promise<AnalyticsWalletsResponse> {
    const asked = CHAINS.values.find((chain) => chain === query.chain);
    if (!asked) {
      throw invalidFields([{ field: 'chain', message: 'chain must be the name of a chain' }]);
    }
    const range = await this.rangeOf(localDays(RANGE, query));
    const [allTime, inRange] = await Promise.all(
      [ALWAYS, range].map(async (stretch) =>
        (await this.walletNames(environmentId, stretch, storedNamesOf(asked))).map(({ name, count }) => ({
          walletNameDisplay: name,
          nWallets: count,
        })),
      ),
    );
    return { breakdown: { allTime: allTime!, inRange: inRange! } };
  }

  /** Covers all time when no date is given. @throws validation_failed */
  async wallets(environmentId: EnvironmentId, query: AnalyticsDatesQuery): Promise<WalletNameCount[]> {
    const isAsked = query.startDate !== undefined || query.endDate !== undefined;
    const stretch = isAsked ? await this.rangeOf(recentDays(query, this.clock.now())) : ALWAYS;
    const names = await this.walletNames(environmentId, stretch, null);
    return names.map(({ name, count }) => ({ walletName: name, count }));
  }

  /** @throws validation_failed */
  async visits(environmentId: EnvironmentId, query: AnalyticsDatesQuery): Promise<AnalyticsVisitResponse> {
    const days = assertSeries(recentDays(query, this.clock.now()), 'endDate');
    const buckets = await this.figures.listBuckets(days, 'day');
    const [users, visits] = await Promise.all([
      this.byDate(environmentId, { kind: 'user', measure: 'sessions' }, buckets),
      this.byDate(environmentId, { kind: 'visitor', measure: 'visits' }, buckets),
    ]);
    return {
      summedSessionsCount: users.count + visits.count,
      summedTotalUniqueCount: users.totalUnique + visits.totalUnique,
      users,
      visits,
    };
  }

  private async byDate(
    environmentId: EnvironmentId,
    { kind, measure }: { kind: PersonKind; measure: string },
    buckets: readonly Bucket[],
  ): Promise<AnalyticsSessionsByDate & { count: number; totalUnique: number }> {
    const [people, sums] = await Promise.all([
      this.figures.countPeople(environmentId, kind, [...buckets, wholeOf(buckets)]),
      this.figures.sum(environmentId, measure, buckets.map(slotsOf)),
    ]);
    const counts = new Map(sums.map(({ bucket, count }) => [bucket, count]));
    const sessions = buckets.map(({ date }, at) => ({ date, count: counts.get(at) ?? 0, uniqueUsers: people[at]! }));
    const count = sums.reduce((sum, row) => sum + row.count, 0);
    return { totalUnique: people[buckets.length]!, sessions, count };
  }

  private async trend(
    environmentId: EnvironmentId,
    measure: string,
    buckets: readonly Bucket[],
  ): Promise<SessionsTrendResult[]> {
    const sums = await this.figures.sum(environmentId, measure, buckets.map(slotsOf));
    return sums.map(({ bucket, name, count }) => ({
      date: buckets[bucket]!.date,
      dimValue: name,
      nSessionsVisits: count,
    }));
  }

  private async totals(
    environmentId: EnvironmentId,
    measure: string,
    slots: readonly Slot[][],
  ): Promise<{ allTime: number; inRange: number }> {
    const totals = [0, 0];
    for (const { bucket, count } of await this.figures.sum(environmentId, measure, slots)) totals[bucket]! += count;
    return { allTime: totals[0]!, inRange: totals[1]! };
  }

  private walletNames(environmentId: EnvironmentId, stretch: Stretch, chains: readonly string[] | null) {
    return this.figures.sum(environmentId, 'wallets', [slotsOf(stretch)], { chains, limit: MOST_NAMES });
  }

  private async rangeOf(days: LocalDays): Promise<Stretch> {
    return wholeOf(await this.figures.listBuckets(days, 'month'));
  }
}
