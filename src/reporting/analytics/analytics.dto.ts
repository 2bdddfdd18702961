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
  'A day (`2026-01-31`) in the time zone, or an instant with offset, which stands for its day. The whole day is included.';
const ZONE_FORM =
  'A name of the time zone database, such as `Europe/Zurich`, and no abbreviation of three letters but `UTC` and `GMT`. Without it, `UTC`.';

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

  @IntegerField({ description: 'Users who signed in, each once.' })
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
  @IntegerField({ description: 'Users who ever signed in.' })
  allTime!: number;

  @IntegerField({ description: 'Users who signed in in the range.' })
  inRange!: number;
}

export class AnalyticsToplineResponseWallets {
  @IntegerField()
  allTime!: number;

  @IntegerField({ description: 'Wallets that were added in the range and are still there.' })
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
  @IntegerField({ description: 'Days of a week, from one to seven.' })
  nDays!: number;

  @IntegerField({ description: 'Weeks in which a user came on so many days, of all users.' })
  nUserWeeks!: number;

  @NumberField({ description: 'Of all weeks in which a user came, in per cent with two decimals.' })
  pctUserWeeks!: number;
}

export class RetentionTrendResult {
  @StringField({ format: 'date', description: 'Its Monday.' })
  cohortWeek!: string;

  @StringField({ format: 'date', description: 'Its Monday; the week of the cohort is the first.' })
  returningWeek!: string;

  @NumberField({
    optional: true,
    nullable: true,
    description: 'How many of the cohort came in that week, in per cent with two decimals; null of an empty cohort.',
  })
  retentionPct?: number | null;
}

export class AnalyticsEngagementResponseRetention {
  @ListField(() => RetentionTrendResult, { description: 'The cohort is all who came in a week.' })
  allUsers!: RetentionTrendResult[];

  @ListField(() => RetentionTrendResult, { description: 'The cohort is those who came for the first time.' })
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

  @IntegerField({ optional: true, description: 'Who came on that day, each once.' })
  uniqueUsers?: number;

  @StringField({ optional: true, description: 'The day.' })
  date?: string;
}

export class AnalyticsSessionsByDate {
  @IntegerField({ optional: true, description: 'Who came in the range, each once.' })
  totalUnique?: number;

  @ListField(() => AnalyticsSessionsByDateSessions, { optional: true })
  sessions?: AnalyticsSessionsByDateSessions[];
}

export class AnalyticsVisitResponse {
  @IntegerField({ optional: true, description: 'Sign-ins of users and visits of wallets.' })
  summedSessionsCount?: number;

  @IntegerField({ optional: true, description: 'Users and wallets, each once.' })
  summedTotalUniqueCount?: number;

  @RefField(() => AnalyticsSessionsByDate, { optional: true, description: 'Users who signed in.' })
  users?: AnalyticsSessionsByDate;

  @RefField(() => AnalyticsSessionsByDate, {
    optional: true,
    description: 'Wallets that connected without signing in.',
  })
  visits?: AnalyticsSessionsByDate;
}
