import {
  defineEnum,
  EnumField,
  IntegerField,
  ListField,
  NumberField,
  RefField,
  StringField,
  type EnumValue,
} from '../../common/fields/index.js';
import { CHAINS } from '../../networks/index.js';

const DAY_FORM =
  'A day (`2026-01-31`) in the time zone, or an instant with an offset, which stands for the day that contains it. The whole day is included.';
const ZONE_FORM =
  'An IANA time zone name such as `Europe/Zurich`; of three-letter abbreviations, only `UTC` and `GMT`. Defaults to `UTC`.';

const CHAIN_FORM = `One of ${CHAINS.values.join(', ')}.`;

export const GRANULARITIES = defineEnum('AnalyticsGranularity', ['day', 'week', 'month']);
export type Granularity = EnumValue<typeof GRANULARITIES>;

class TimeZoneQuery {
  @StringField({ optional: true, example: 'UTC', description: ZONE_FORM })
  timeZone?: string;
}

export class AnalyticsQuery extends TimeZoneQuery {
  @StringField({ example: '2026-01-01', description: DAY_FORM })
  start!: string;

  @StringField({ example: '2026-01-31', description: DAY_FORM })
  end!: string;
}

export class AnalyticsOverviewQuery extends AnalyticsQuery {
  @EnumField(GRANULARITIES)
  granularity!: Granularity;
}

export class AnalyticsWalletsQuery extends AnalyticsQuery {
  @StringField({ example: 'EVM', description: CHAIN_FORM })
  chain!: string;
}

export class AnalyticsDatesQuery extends TimeZoneQuery {
  @StringField({ optional: true, example: '2026-01-01', description: DAY_FORM })
  startDate?: string;

  @StringField({ optional: true, example: '2026-01-31', description: DAY_FORM })
  endDate?: string;
}

export class ActiveUsersTrendResult {
  @StringField({ format: 'date', description: 'The day, the Monday of the week, or the first of the month.' })
  date!: string;

  @IntegerField({ description: 'Distinct users who signed in.' })
  nUsers!: number;
}

export class SessionsTrendResult {
  @StringField({ format: 'date' })
  date!: string;

  @StringField({ description: 'The format of the credential, a social provider, or an operating system.' })
  dimValue!: string;

  @IntegerField({ description: 'Sign-ins.' })
  nSessionsVisits!: number;
}

export class AnalyticsOverviewResponseSessions {
  @ListField(() => SessionsTrendResult)
  byLoginMethod!: SessionsTrendResult[];

  @ListField(() => SessionsTrendResult)
  byOperatingSystem!: SessionsTrendResult[];
}

export class AnalyticsOverviewResponse {
  @ListField(() => ActiveUsersTrendResult)
  activeUsers!: ActiveUsersTrendResult[];

  @RefField(() => AnalyticsOverviewResponseSessions)
  sessions!: AnalyticsOverviewResponseSessions;
}

export class AnalyticsToplineResponseSessions {
  @IntegerField()
  allTime!: number;

  @IntegerField()
  inRange!: number;
}

export class AnalyticsToplineResponseUsers {
  @IntegerField({ description: 'Users who have ever signed in.' })
  allTime!: number;

  @IntegerField({ description: 'Users who signed in within the range.' })
  inRange!: number;
}

export class AnalyticsToplineResponseWallets {
  @IntegerField()
  allTime!: number;

  @IntegerField({ description: 'Wallets that were added in the range and still exist.' })
  inRange!: number;
}

export class AnalyticsToplineResponse {
  @RefField(() => AnalyticsToplineResponseSessions)
  sessions!: AnalyticsToplineResponseSessions;

  @RefField(() => AnalyticsToplineResponseUsers)
  users!: AnalyticsToplineResponseUsers;

  @RefField(() => AnalyticsToplineResponseWallets)
  wallets!: AnalyticsToplineResponseWallets;
}

export class ActiveWeeklyDaysResult {
  @IntegerField({ description: 'Days per week, from one to seven.' })
  nDays!: number;

  @IntegerField({ description: 'Weeks in which a user was active on this many days, summed over all users.' })
  nUserWeeks!: number;

  @NumberField({ description: 'Share of all weeks in which a user was active, in per cent with two decimals.' })
  pctUserWeeks!: number;
}

export class RetentionTrendResult {
  @StringField({ format: 'date', description: 'Monday of the week.' })
  cohortWeek!: string;

  @StringField({ format: 'date', description: 'Monday of the week; the first is the week of the cohort.' })
  returningWeek!: string;

  @NumberField({
    optional: true,
    nullable: true,
    description:
      'Share of the cohort that was active in that week, in per cent with two decimals; null for an empty cohort.',
  })
  retentionPct?: number | null;
}

export class AnalyticsEngagementResponseRetention {
  @ListField(() => RetentionTrendResult, { description: 'The cohort is everybody who was active in the week.' })
  allUsers!: RetentionTrendResult[];

  @ListField(() => RetentionTrendResult, {
    description: 'The cohort is everybody who was active for the first time in the week.',
  })
  newUsers!: RetentionTrendResult[];
}

export class SessionsHeatmapResult {
  @IntegerField({ min: 0, max: 23 })
  hourBucket!: number;

  @IntegerField({ min: 0, max: 6, description: 'Sunday is 0.' })
  weekday!: number;

  @IntegerField()
  nSessionsVisits!: number;
}

export class AnalyticsEngagementResponse {
  @ListField(() => ActiveWeeklyDaysResult)
  activeWeeklyDays!: ActiveWeeklyDaysResult[];

  @RefField(() => AnalyticsEngagementResponseRetention)
  retention!: AnalyticsEngagementResponseRetention;

  @ListField(() => SessionsHeatmapResult, { description: 'Hours without a sign-in are omitted.' })
  sessionsHeatmap!: SessionsHeatmapResult[];
}

export class WalletsBreakdownResult {
  @StringField()
  walletNameDisplay!: string;

  @IntegerField()
  nWallets!: number;
}

export class AnalyticsWalletsResponseBreakdown {
  @ListField(() => WalletsBreakdownResult)
  allTime!: WalletsBreakdownResult[];

  @ListField(() => WalletsBreakdownResult)
  inRange!: WalletsBreakdownResult[];
}

export class AnalyticsWalletsResponse {
  @RefField(() => AnalyticsWalletsResponseBreakdown)
  breakdown!: AnalyticsWalletsResponseBreakdown;
}

export class WalletNameCount {
  @IntegerField({ optional: true })
  count?: number;

  @StringField({ optional: true })
  walletName?: string;
}

export class AnalyticsSessionsByDateSessions {
  @IntegerField({ optional: true })
  count?: number;

  @IntegerField({ optional: true, description: 'Distinct users on that day.' })
  uniqueUsers?: number;

  @StringField({ optional: true, description: 'The day.' })
  date?: string;
}

export class AnalyticsSessionsByDate {
  @IntegerField({ optional: true, description: 'Distinct users in the range.' })
  totalUnique?: number;

  @ListField(() => AnalyticsSessionsByDateSessions, { optional: true })
  sessions?: AnalyticsSessionsByDateSessions[];
}

export class AnalyticsVisitResponse {
  @IntegerField({ optional: true, description: 'Sign-ins of users plus visits of wallets.' })
  summedSessionsCount?: number;

  @IntegerField({ optional: true, description: 'Distinct users and wallets.' })
  summedTotalUniqueCount?: number;

  @RefField(() => AnalyticsSessionsByDate, { optional: true, description: 'Users who signed in.' })
  users?: AnalyticsSessionsByDate;

  @RefField(() => AnalyticsSessionsByDate, {
    optional: true,
    description: 'Wallets that connected without signing in.',
  })
  visits?: AnalyticsSessionsByDate;
}
