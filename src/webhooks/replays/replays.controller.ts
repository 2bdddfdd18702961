import { Body, Get, Post, Query } from '@nestjs/common';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { REPLAY_ENDED, REPLAY_STARTED } from './replay.events.js';
import { ReplaysService } from './replays.service.js';
import {
  GetWebhookReplaysQuery,
  WebhookReplay,
  WebhookReplayCreateRequest,
  WebhookReplaysResponse,
} from './webhook-replay.dto.js';

@ApiController('environments/:environmentId/webhooks/:webhookId/replays', 'Webhooks')
export class ReplaysController {
  constructor(private readonly replays: ReplaysService) {}

  @Post()
  @Operation({
    id: 'createWebhookReplay',
    summary: 'Resend the messages of a period, only the failed ones, or those that were never created',
    description:
      'Runs in the background; the answer is its state so far. Messages keep their ids, carry `redelivery: true` and continue their attempt numbers; missing messages are sent for the first time. Repeating the request while the replay is running returns the same replay.',
    errors: [409, 422],
    idempotent: true,
    events: [REPLAY_STARTED.name, REPLAY_ENDED.name],
    limits: ['one replay per webhook at a time'],
  })
  @Dashboard({ scope: 'environment.webhooks.write', role: 'developer' })
  @Returns(WebhookReplay, { status: 202 })
  createWebhookReplay(
    @Environment() environmentId: EnvironmentId,
    @IdParam('webhookId') webhookId: string,
    @Caller() caller: DashboardPrincipal,
    @Body() request: WebhookReplayCreateRequest,
    @CallWork() work: Work,
  ) {
    return this.replays.start(environmentId, webhookId, request, caller, work);
  }

  @Get()
  @Operation({
    id: 'getWebhookReplays',
    summary: 'List the replays of a webhook',
    limits: ['50 replays per page'],
  })
  @Dashboard({ scope: 'environment.webhooks.read', role: 'viewer' })
  @Returns(WebhookReplaysResponse)
  getWebhookReplays(
    @Environment() environmentId: EnvironmentId,
    @IdParam('webhookId') webhookId: string,
    @Query() { cursor }: GetWebhookReplaysQuery,
  ) {
    return this.replays.list(environmentId, webhookId, cursor);
  }

  @Get(':replayId')
  @Operation({ id: 'getWebhookReplay', summary: 'Read the progress of a replay' })
  @Dashboard({ scope: 'environment.webhooks.read', role: 'viewer' })
  @Returns(WebhookReplay)
  getWebhookReplay(
    @Environment() environmentId: EnvironmentId,
    @IdParam('webhookId') webhookId: string,
    @IdParam('replayId') replayId: string,
  ) {
    return this.replays.get(environmentId, webhookId, replayId);
  }

  @Post(':replayId/cancel')
  @Operation({
    id: 'cancelWebhookReplay',
    summary: 'Cancel a replay',
    description: 'Messages already handed to delivery are still delivered. A replay that has ended is not changed.',
    events: [REPLAY_ENDED.name],
  })
  @Dashboard({ scope: 'environment.webhooks.write', role: 'developer' })
  @Returns(WebhookReplay)
  cancelWebhookReplay(
    @Environment() environmentId: EnvironmentId,
    @IdParam('webhookId') webhookId: string,
    @IdParam('replayId') replayId: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.replays.cancel(environmentId, webhookId, replayId, caller);
  }
}
