import { Body, Delete, Get, Post } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Environment,
  ScopedBy,
  type DashboardPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { DeeplinkUrlOwner } from './deeplink-url-owner.js';
import { AddDeeplinkUrlRequest, DeeplinkUrl, DeeplinkUrlsResponse } from './deeplink-url.dto.js';
import { DEEPLINK_URL_CREATED, DEEPLINK_URL_DELETED } from './deeplink-url.events.js';
import { DeeplinkUrlsService } from './deeplink-urls.service.js';

@ApiController('', 'DeeplinkUrls')
export class DeeplinkUrlsController {
  constructor(private readonly deeplinks: DeeplinkUrlsService) {}

  @Get('environments/:environmentId/deeplinkUrls')
  @Operation({ id: 'getDeeplinkUrls', summary: 'List the allowed deeplink addresses' })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @Returns(DeeplinkUrlsResponse)
  getDeeplinkUrls(@Environment() environmentId: EnvironmentId) {
    return this.deeplinks.list(environmentId);
  }

  @Post('environments/:environmentId/deeplinkUrls')
  @Operation({
    id: 'addDeeplinkUrl',
    idempotent: true,
    summary: 'Allow a mobile deeplink address',
    description: 'Sign-in returns to addresses that are registered whole. One with a wildcard is kept and admits none.',
    errors: [422],
    events: [DEEPLINK_URL_CREATED.name],
    limits: [
      '100 deeplink addresses per environment',
      'url: at most 2,048 characters, one wildcard',
      'http: only localhost',
    ],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @Returns(DeeplinkUrl, { status: 201 })
  addDeeplinkUrl(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: AddDeeplinkUrlRequest,
    @CallWork() work: Work,
  ) {
    return this.deeplinks.add(environmentId, request, caller, work);
  }

  @Delete('deeplinkUrls/:deeplinkUrlId')
  @Operation({
    id: 'deleteDeeplinkUrlById',
    summary: 'Remove an allowed deeplink address',
    events: [DEEPLINK_URL_DELETED.name],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @ScopedBy(DeeplinkUrlOwner, 'deeplinkUrlId')
  @ReturnsNothing()
  deleteDeeplinkUrlById(
    @Environment() environmentId: EnvironmentId,
    @IdParam('deeplinkUrlId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.deeplinks.delete(environmentId, id, caller);
  }
}
