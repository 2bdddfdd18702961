import { Body, Delete, Get, Headers, Post, Put, Query } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import {
  Caller,
  Dashboard,
  ELEVATED_TOKEN_HEADER,
  Environment,
  RecentlyProven,
  type DashboardPrincipal,
  type EnvironmentId,
  type ProofCondition,
} from '../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../common/http/operation.js';
import { IdParam } from '../common/http/params.js';
import { CallWork, type Work } from '../idempotency/index.js';
import { MAX_HEADER_NAME, MAX_HEADER_VALUE, MAX_HEADERS } from './custom-headers.js';
import { WebhookReveal } from './webhook-reveal.service.js';
import { WebhookRotation } from './webhook-rotation.service.js';
import {
  GetWebhookQuery,
  MAX_OVERLAP_HOURS,
  Webhook,
  WebhookCreateRequest,
  WebhookRotateSecretRequest,
  WebhooksResponse,
  WebhookUpdateRequest,
} from './webhook.dto.js';
import {
  PING,
  WEBHOOK_CREATED,
  WEBHOOK_DELETED,
  WEBHOOK_SECRET_REVEALED,
  WEBHOOK_SECRET_ROTATED,
  WEBHOOK_UPDATED,
} from './webhook.events.js';
import { WebhooksService } from './webhooks.service.js';

const SCOPE_READ = 'environment.webhooks.read';
const SCOPE_WRITE = 'environment.webhooks.write';
const HEADERS = `headers: ${MAX_HEADERS}, with names of at most ${MAX_HEADER_NAME} and values of at most ${MAX_HEADER_VALUE} characters`;
const ADDRESSES = 'url: https, public hostname, port 443 or 8443, at most 2,048 characters';

/** Custom header values can authenticate the service to the receiver, as in `authorization`. */
const SENDS_HEADERS: ProofCondition = {
  asks: (sent) => {
    const { headers } = (sent ?? {}) as { headers?: unknown };
    return Array.isArray(headers) && headers.length > 0;
  },
  words: 'header fields, which may be secrets',
};

@ApiController('environments/:environmentId/webhooks', 'Webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly rotation: WebhookRotation,
    private readonly reveals: WebhookReveal,
  ) {}

  @Get()
  @Operation({ id: 'getWebhooks', summary: 'List the webhooks of an environment' })
  @Dashboard({ scope: SCOPE_READ, role: 'viewer' })
  @Returns(WebhooksResponse)
  getWebhooks(@Environment() environmentId: EnvironmentId) {
    return this.webhooks.list(environmentId);
  }

  @Post()
  @Operation({
    id: 'createWebhook',
    idempotent: true,
    summary: 'Create a webhook; the answer contains its secret',
    errors: [422],
    events: [WEBHOOK_CREATED.name, PING.name],
    limits: ['20 webhooks per environment', ADDRESSES, HEADERS],
  })
  @Dashboard({ scope: SCOPE_WRITE, role: 'developer' })
  @Returns(Webhook, { status: 201 })
  createWebhook(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: WebhookCreateRequest,
    @CallWork() work: Work,
  ) {
    return this.webhooks.create(environmentId, request, caller, work);
  }

  @Get(':webhookId')
  @Operation({
    id: 'getWebhook',
    noHead: true,
    summary: 'Read one webhook, with its secret on request',
    description:
      'The secret is shown to API tokens that may change webhooks, and to developers with a recent proof (at most five minutes old) for `console:settings:update`. Each disclosure is recorded.',
    events: [WEBHOOK_SECRET_REVEALED.name],
  })
  @Dashboard({ scope: SCOPE_READ, role: 'viewer' })
  @ApiHeader({
    name: ELEVATED_TOKEN_HEADER,
    required: false,
    description:
      'The `elevatedAccessToken` of a recent proof, which members need to see the secret. Personal tokens cannot see it.',
    schema: { type: 'string' },
  })
  @Returns(Webhook)
  getWebhook(
    @Environment() environmentId: EnvironmentId,
    @IdParam('webhookId') id: string,
    @Query() { includeSecret }: GetWebhookQuery,
    @Caller() caller: DashboardPrincipal,
    @Headers(ELEVATED_TOKEN_HEADER) elevated: string | undefined,
  ) {
    return this.reveals.get(environmentId, id, { includeSecret, caller, elevated: elevated ?? null });
  }

  @Put(':webhookId')
  @Operation({
    id: 'updateWebhookById',
    summary: 'Replace the address, events and state of a webhook',
    description:
      '`signatures`, `headers` and `ordering` keep their values when omitted. Changing the `url` removes header fields that are not sent again, since their values were meant for the previous address. Members who send header fields need a proof from the last five minutes.',
    events: [WEBHOOK_UPDATED.name],
    limits: [ADDRESSES, HEADERS],
  })
  @Dashboard({ scope: SCOPE_WRITE, role: 'developer' })
  @RecentlyProven('console:settings:update', SENDS_HEADERS)
  @Returns(Webhook)
  updateWebhookById(
    @Environment() environmentId: EnvironmentId,
    @IdParam('webhookId') id: string,
    @Caller() caller: DashboardPrincipal,
    @Body() request: WebhookUpdateRequest,
  ) {
    return this.webhooks.update(environmentId, id, request, caller);
  }

  @Post(':webhookId/rotate-secret')
  @Operation({
    id: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook, and its key pair if it has one',
    description:
      'The answer contains the new secret. For `overlapHours` every request carries signatures made with both secrets, so that receivers can switch when ready; `x-webhook-signature-256`, which holds only one, uses the older secret until then.',
    errors: [409, 422],
    idempotent: true,
    events: [WEBHOOK_SECRET_ROTATED.name],
    limits: [`overlapHours: 0 to ${MAX_OVERLAP_HOURS}`, 'one overlap at a time'],
  })
  @Dashboard({ scope: SCOPE_WRITE, role: 'developer' })
  @RecentlyProven('console:settings:update')
  @Returns(Webhook)
  rotateWebhookSecret(
    @Environment() environmentId: EnvironmentId,
    @IdParam('webhookId') id: string,
    @Caller() caller: DashboardPrincipal,
    @Body() request: WebhookRotateSecretRequest,
    @CallWork() work: Work,
  ) {
    return this.rotation.rotate(environmentId, id, request, caller, work);
  }

  @Delete(':webhookId')
  @Operation({
    id: 'deleteWebhookById',
    summary: 'Delete a webhook and its messages',
    errors: [400, 422],
    events: [WEBHOOK_DELETED.name],
  })
  @Dashboard({ scope: SCOPE_WRITE, role: 'developer' })
  @ReturnsNothing()
  deleteWebhookById(
    @Environment() environmentId: EnvironmentId,
    @IdParam('webhookId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.webhooks.delete(environmentId, id, caller);
  }
}
