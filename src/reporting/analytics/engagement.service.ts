import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { AnalyticsReadsRepository, type Bucket } from './analytics-reads.repository.js';
import { wholeOf } from './analytics.service.js';
import type {
  ActiveWeeklyDaysResult,
  AnalyticsEngagementResponse,
  AnalyticsQuery,
  RetentionTrendResult,
} from './analytics.dto.js';
import { addChunk, noCohorts, type Cohorts } from './cohorts.js';
import { assertSeries, localDays, type LocalDays } from './local-days.js';
import { CHUNK } from './rollup.js';

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const BEGINNING = new Date(Date.UTC(2000, 0));
const WORDS = CHUNK / 32;

/** In per cent, rounded to two decimals. */
const share = (part: number, whole: number): number => Math.round((part / whole) * 10_000) / 100;

/** Engagement: active days per week, weekly retention, and hours of activity. */
@Injectable()
export class EngagementService {
  constructor(private readonly figures: AnalyticsReadsRepository) {}

  /** For the whole weeks that overlap the range. @throws validation_failed */
  async engagement(environmentId: EnvironmentId, query: AnalyticsQuery): Promise<AnalyticsEngagementResponse> {
    const asked = assertSeries(localDays(['start', 'end'], query), 'end');
    const days = await this.figures.listBuckets(inWholeWeeks(asked), 'day');
    const range = wholeOf(await this.figures.listBuckets(asked, 'month'));
    const [cohorts, hours] = await Promise.all([
      this.cohortsOf(environmentId, days),
      this.figures.hours(environmentId, range, asked.timeZone),
    ]);
    const mondays = days.filter((_, at) => at % WEEK_DAYS === 0).map(({ date }) => date);
    return {
      activeWeeklyDays: weeklyDays(cohorts),
      retention: { allUsers: retention(cohorts.all, mondays), newUsers: retention(cohorts.fresh, mondays) },
      sessionsHeatmap: hours.map(({ weekday, hour, count }) => ({
        weekday,
        hourBucket: hour,
        nSessionsVisits: count,
      })),
    };
  }

  /** One chunk of users at a time, to bound memory and let other calls run in between. */
  private async cohortsOf(environmentId: EnvironmentId, days: readonly Bucket[]): Promise<Cohorts> {
    const stretches = [...days, { from: BEGINNING, until: days[0]!.from }];
    const sums = noCohorts(days.length / WEEK_DAYS);
    const progress = await this.figures.findProgress(environmentId);
    const chunks = Math.ceil(progress.users / CHUNK);
    for (let chunk = 0; chunk < chunks; chunk++) {
      const sets = await this.figures.listSets(environmentId, stretches, { chunk, progress });
      addChunk(sums, sets.slice(0, days.length), sets[days.length], WORDS);
    }
    return sums;
  }
}

function inWholeWeeks({ first, last, timeZone }: LocalDays): LocalDays {
  const sinceMonday = (day: string): number => (new Date(day).getUTCDay() + 6) % WEEK_DAYS;
  const moved = (day: string, days: number): string =>
    new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
  return { first: moved(first, -sinceMonday(first)), last: moved(last, 6 - sinceMonday(last)), timeZone };
}

function weeklyDays({ activeDays }: Cohorts): ActiveWeeklyDaysResult[] {
  const sums = Array.from({ length: WEEK_DAYS }, (_, at) => activeDays.reduce((sum, week) => sum + week[at]!, 0));
  const whole = sums.reduce((sum, weeks) => sum + weeks, 0);
  return sums.map((weeks, at) => ({
    nDays: at + 1,
    nUserWeeks: weeks,
    pctUserWeeks: whole === 0 ? 0 : share(weeks, whole),
  }));
}

const retention = (matrix: readonly number[][], mondays: readonly string[]): RetentionTrendResult[] =>
  mondays.flatMap((cohortWeek, cohort) => {
    const members = matrix[cohort]![cohort]!;
    return mondays.slice(cohort).map((returningWeek, after) => ({
      cohortWeek,
      returningWeek,
      retentionPct: members === 0 ? null : share(matrix[cohort]![cohort + after]!, members),
    }));
  });
