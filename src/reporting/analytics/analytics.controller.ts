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
const LATE = 'Figures lag behind events by up to about ten seconds';
const DAYS = `A range covers at most ${MOST_DAYS} days`;
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
    description: 'Weeks start on Monday. Weeks and months at either end of the range include only the days within it.',
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
    description: 'Deleted sessions and users are still counted; removed wallets are not.',
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
    description:
      'Weekly activity and retention cover whole weeks, starting on Monday: all weeks that overlap the range.',
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
    description: 'Defaults to the last thirty days.',
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
    summary: 'Count wallets by name in a date range',
    description: 'Defaults to all time.',
    errors: [422, 502],
    limits: [LATE, NAMES],
  })
  @Dashboard(READERS)
  @Returns(WalletNameCount, { list: true })
  getWalletsBreakdown(@Environment() environmentId: EnvironmentId, @Query() query: AnalyticsDatesQuery) {
    return this.analytics.wallets(environmentId, query);
  }
}
