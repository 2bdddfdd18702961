import { Get, Post, Query } from '@nestjs/common';
import { Dashboard, Environment, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { MessagesService } from './messages.service.js';
import {
  GetWebhookMessagesQuery,
  WebhookMessageRedeliveryResponse,
  WebhookMessagesResponse,
} from './webhook-message.dto.js';

@ApiController('environments/:environmentId/webhooks/:webhookId/messages', 'Webhooks')
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Get()
  @Operation({
    id: 'getWebhookMessages',
    summary: 'List the messages of a webhook, each with its latest delivery',
    limits: ['50 messages per page'],
  })
  @Dashboard({ scope: 'environment.webhooks.read', role: 'viewer' })
  @Returns(WebhookMessagesResponse)
  getWebhookMessages(
    @Environment() environmentId: EnvironmentId,
    @IdParam('webhookId') webhookId: string,
    @Query() { cursor }: GetWebhookMessagesQuery,
  ) {
    return this.messages.list(environmentId, webhookId, cursor);
  }

  @Get(':messageId')
  @Operation({
    id: 'getWebhookMessageDeliveries',
    summary: 'List the deliveries of a message, newest first',
    limits: ['50 deliveries per page'],
  })
  @Dashboard({ scope: 'environment.webhooks.read', role: 'viewer' })
  @Returns(WebhookMessagesResponse)
  getWebhookMessageDeliveries(
    @Environment() environmentId: EnvironmentId,
    @IdParam('webhookId') webhookId: string,
    @IdParam('messageId') messageId: string,
    @Query() { cursor }: GetWebhookMessagesQuery,
  ) {
    return this.messages.listAttempts(environmentId, webhookId, messageId, cursor);
  }

  @Post(':messageId/redeliver')
  @Operation({
    id: 'redeliverWebhookMessage',
    idempotent: true,
    summary: 'Redeliver a message',
    description: 'Uses the same message id and the next attempt number, whatever the outcome of earlier attempts.',
    errors: [400, 422],
    limits: ['repeated calls within 5 seconds count as one'],
  })
  @Dashboard({ scope: 'environment.webhooks.write', role: 'developer' })
  @Returns(WebhookMessageRedeliveryResponse)
  redeliverWebhookMessage(
    @Environment() environmentId: EnvironmentId,
    @IdParam('webhookId') webhookId: string,
    @IdParam('messageId') messageId: string,
    @CallWork() work: Work,
  ) {
    return this.messages.redeliver(environmentId, webhookId, messageId, work);
  }
}
