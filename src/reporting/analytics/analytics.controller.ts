import { Get, Query } from '@nestjs/common';
import { Dashboard, Environment, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { MOST_NAMES } from './analytics-reads.repository.js';
import {
  AnalyticsDatesQuery,
  AnalyticsEngagementResponse,
  AnalyticsOverviewQuery,
  AnalyticsOverviewResponse,
  AnalyticsQuery,
  AnalyticsToplineResponse,
  AnalyticsVisitResponse,
  AnalyticsWalletsQuery,
  AnalyticsWalletsResponse,
  WalletNameCount,
} from './analytics.dto.js';
import { AnalyticsService } from './analytics.service.js';
import { EngagementService } from './engagement.service.js';
import { MOST_DAYS } from './local-days.js';

const READERS = { scope: 'environment.analytics.read', role: 'viewer' } as const;
const LATE = 'Figures follow what happens within some ten seconds';
const DAYS = `A range has at most ${MOST_DAYS} days`;
const NAMES = `The ${MOST_NAMES} most frequent names`;

@ApiController('environments/:environmentId/analytics', 'Analytics')
export class AnalyticsController {
  constructor(
    private readonly analytics: AnalyticsService,
    private readonly faithful: EngagementService,
  ) {}

  @Get('overview')
  @Operation({
    id: 'getAnalyticsOverview',
    summary: 'Active users and sessions over time',
    description: 'A week begins on Monday. Weeks and months at the ends of the range count only days within it.',
    limits: [LATE, DAYS],
  })
  @Dashboard(READERS)
  @Returns(AnalyticsOverviewResponse)
  getAnalyticsOverview(@Environment() environmentId: EnvironmentId, @Query() query: AnalyticsOverviewQuery) {
    return this.analytics.overview(environmentId, query);
  }

  @Get('topline')
  @Operation({
    id: 'getAnalyticsTopline',
    summary: 'Totals of sessions, users and wallets',
    description: 'Deleted sessions and users stay counted; deleted wallets do not.',
    limits: [LATE],
  })
  @Dashboard(READERS)
  @Returns(AnalyticsToplineResponse)
  getAnalyticsTopline(@Environment() environmentId: EnvironmentId, @Query() query: AnalyticsQuery) {
    return this.analytics.topline(environmentId, query);
  }

  @Get('engagement')
  @Operation({
    id: 'getAnalyticsEngagement',
    summary: 'Weekly activity, retention and hour heat map',
    description: 'Weekly activity and retention cover all whole weeks, starting on Monday, that the range touches.',
    limits: [LATE, DAYS],
  })
  @Dashboard(READERS)
  @Returns(AnalyticsEngagementResponse)
  getAnalyticsEngagement(@Environment() environmentId: EnvironmentId, @Query() query: AnalyticsQuery) {
    return this.faithful.engagement(environmentId, query);
  }

  @Get('walletsBreakdown')
  @Operation({
    id: 'getAnalyticsWallets',
    summary: 'Wallet providers on a chain, all time and in range',
    limits: [LATE, NAMES],
  })
  @Dashboard(READERS)
  @Returns(AnalyticsWalletsResponse)
  getAnalyticsWallets(@Environment() environmentId: EnvironmentId, @Query() query: AnalyticsWalletsQuery) {
    return this.analytics.walletsOfChain(environmentId, query);
  }

  @Get('visits')
  @Operation({
    id: 'getVisitAnalytics',
    summary: 'Visits and users by date',
    description: 'Without dates, the last thirty days.',
    errors: [422, 502],
    limits: [LATE, DAYS],
  })
  @Dashboard(READERS)
  @Returns(AnalyticsVisitResponse)
  getVisitAnalytics(@Environment() environmentId: EnvironmentId, @Query() query: AnalyticsDatesQuery) {
    return this.analytics.visits(environmentId, query);
  }

  @Get('wallets')
  @Operation({
    id: 'getWalletsBreakdown',
    summary: 'Wallet names by count in a date range',
    description: 'Without dates, all time.',
    errors: [422, 502],
    limits: [LATE, NAMES],
  })
  @Dashboard(READERS)
  @Returns(WalletNameCount, { list: true })
  getWalletsBreakdown(@Environment() environmentId: EnvironmentId, @Query() query: AnalyticsDatesQuery) {
    return this.analytics.wallets(environmentId, query);
  }
}
