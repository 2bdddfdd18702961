import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../environments/index.js';
import { IdentityModule } from '../identity/index.js';
import { ObservabilityModule } from '../observability/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { ProvidersModule } from '../providers/index.js';
import { Attempts } from './delivery/attempt.service.js';
import { AttemptWatch } from './delivery/attempt-watch.js';
import { BacklogRepository } from './delivery/backlog.repository.js';
import { ClaimsRepository } from './delivery/claims.repository.js';
import { DeliveryJobs } from './delivery/delivery-jobs.js';
import { DeliveryWorker } from './delivery/delivery-worker.js';
import { DueRing } from './delivery/due-ring.js';
import { EventDispatcher } from './delivery/event-dispatcher.js';
import { MessagesController } from './delivery/messages.controller.js';
import { MessagesRepository } from './delivery/messages.repository.js';
import { MessagesService } from './delivery/messages.service.js';
import { HeldMessages } from './delivery/held-messages.js';
import { OutboxBell } from './delivery/outbox-bell.js';
import { PurgeRepository } from './delivery/purge.repository.js';
import { ResultRecorder } from './delivery/result-recorder.js';
import { ResultsRepository } from './delivery/results.repository.js';
import { WebhookDeliveryEntity } from './delivery/webhook-delivery.entity.js';
import { WebhookDisabler } from './delivery/webhook-disabler.job.js';
import { WebhookMessageEntity } from './delivery/webhook-message.entity.js';
import { EventTypesController } from './events/event-types.controller.js';
import { ErasedPeople } from './erasure/erased-people.js';
import { ErasedPeopleRepository } from './erasure/erased-people.repository.js';
import { EventsController } from './events/events.controller.js';
import { EventsRepository } from './events/events.repository.js';
import { EventsService } from './events/events.service.js';
import { LiveEvents } from './local/live-events.js';
import { LiveEventsRepository } from './local/live-events.repository.js';
import { WebhookSamples } from './local/webhook-samples.js';
import { ReplayStepsRepository } from './replays/replay-steps.repository.js';
import { ReplaysController } from './replays/replays.controller.js';
import { ReplaysJob } from './replays/replays.job.js';
import { ReplaysRepository } from './replays/replays.repository.js';
import { ReplaysService } from './replays/replays.service.js';
import { WebhookReplayEntity } from './replays/webhook-replay.entity.js';
import { RetentionJob } from './retention/retention.job.js';
import { RetentionRepository } from './retention/retention.repository.js';
import { Retention } from './retention/retention.js';
import { NoticesJob } from './notices/notices.job.js';
import { NoticesRepository } from './notices/notices.repository.js';
import { WebhookNoticeEntity } from './notices/webhook-notice.entity.js';
import { RetrySchedules } from './retry-schedules.js';
import { SealedSecretsRepository } from './sealed-secrets.repository.js';
import { SealedWebhookSecrets } from './sealed-webhook-secrets.js';
import { WebhookReveal } from './webhook-reveal.service.js';
import { WebhookRotation } from './webhook-rotation.service.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookTargets } from './webhook-targets.js';
import { WebhookWriter } from './webhook-writer.js';
import { WebhookEntity } from './webhook.entity.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksPart } from './webhooks.part.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';
import { MovingModule } from '../moving/index.js';
import { WebhooksMoving } from './webhooks.moving.js';

const DELIVERY = [
  Attempts,
  AttemptWatch,
  BacklogRepository,
  ClaimsRepository,
  DeliveryJobs,
  DeliveryWorker,
  HeldMessages,
  DueRing,
  EventDispatcher,
  OutboxBell,
  PurgeRepository,
  ResultRecorder,
  ResultsRepository,
  WebhookDisabler,
];

const REPLAYS = [ReplayStepsRepository, ReplaysJob, ReplaysRepository, ReplaysService];
const RETENTION = [Retention, RetentionJob, RetentionRepository];

/** Webhooks, the messages sent to them, and the events behind them. */
@Module({
  imports: [
    MovingModule,
    ObservabilityModule,
    OrganizationsModule,
    EnvironmentsModule,
    IdentityModule,
    ProvidersModule,
    IdentityModule,
    TypeOrmModule.forFeature([
      WebhookEntity,
      WebhookMessageEntity,
      WebhookDeliveryEntity,
      WebhookNoticeEntity,
      WebhookReplayEntity,
    ]),
  ],
  controllers: [WebhooksController, MessagesController, ReplaysController, EventsController, EventTypesController],
  providers: [
    WebhooksMoving,
    ...DELIVERY,
    ...REPLAYS,
    ...RETENTION,
    ErasedPeople,
    ErasedPeopleRepository,
    EventsRepository,
    EventsService,
    LiveEvents,
    LiveEventsRepository,
    MessagesRepository,
    MessagesService,
    NoticesJob,
    NoticesRepository,
    RetrySchedules,
    SealedSecretsRepository,
    SealedWebhookSecrets,
    WebhookReveal,
    WebhookRotation,
    WebhookSecrets,
    WebhookTargets,
    WebhookWriter,
    WebhooksPart,
    WebhooksRepository,
    WebhookSamples,
    WebhooksService,
  ],
})
export class WebhooksModule {}
