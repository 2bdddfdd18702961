import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { conflict, notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { UnitOfWork, type EnvironmentId, type Transaction, type Work } from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import { JobQueue } from '../../queue/index.js';
import { REPLAY_BELL } from '../delivery/bells.js';
import { PAGE_SIZE, pageOf, parseCursor, type Page } from '../page-cursor.js';
import { webhookDisabled } from '../webhook.errors.js';
import { WebhooksRepository } from '../webhooks.repository.js';
import { isSameRequest, termsOf, type ReplayTerms } from './replay-request.js';
import { replayUnderWay } from './replay.errors.js';
import { REPLAY_ENDED, REPLAY_STARTED } from './replay.events.js';
import { ReplaysRepository } from './replays.repository.js';
import { shownReplay } from './shown-replay.js';
import type { WebhookReplay, WebhookReplayCreateRequest } from './webhook-replay.dto.js';
import type { WebhookReplayEntity } from './webhook-replay.entity.js';

/** A replay that ends between two checks makes room for another; that many times in a row is implausible. */
const TRIES = 5;

/** Requests to send many messages again. */
@Injectable()
export class ReplaysService {
  constructor(
    private readonly replays: ReplaysRepository,
    private readonly webhooks: WebhooksRepository,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** Concurrent equal requests start one replay. @throws webhook_disabled, replay_under_way */
  async start(
    environmentId: EnvironmentId,
    webhookId: string,
    request: WebhookReplayCreateRequest,
    actor: Actor,
    work: Work,
  ): Promise<WebhookReplay> {
    const terms = termsOf(request, this.clock.now());
    const webhook = await this.webhooks.findOne(environmentId, webhookId);
    if (!webhook) throw notFound();
    if (!webhook.isEnabled) throw webhookDisabled();
    const row = await work.run((tx) => {
      tx.afterCommit(() => this.queue.ring(REPLAY_BELL));
      return this.startOrFind(environmentId, webhookId, { terms, actor }, tx);
    });
    return shownReplay(row);
  }

  async list(environmentId: EnvironmentId, webhookId: string, cursor?: string): Promise<Page<WebhookReplay>> {
    const below = parseCursor(cursor);
    if (!(await this.webhooks.findOne(environmentId, webhookId))) throw notFound();
    const rows = await this.replays.listPage(environmentId, webhookId, below, PAGE_SIZE + 1);
    const { data, cursor: next } = pageOf(rows, ({ id }) => id);
    return { data: data.map(shownReplay), ...(next !== undefined && { cursor: next }) };
  }

  async get(environmentId: EnvironmentId, webhookId: string, id: string): Promise<WebhookReplay> {
    const [webhook, row] = await Promise.all([
      this.webhooks.findOne(environmentId, webhookId),
      this.replays.find(environmentId, { webhookId, id }),
    ]);
    if (!webhook || !row) throw notFound();
    return shownReplay(row);
  }

  /** A no-op if the replay has ended. */
  async cancel(environmentId: EnvironmentId, webhookId: string, id: string, actor: Actor): Promise<WebhookReplay> {
    if (!(await this.webhooks.findOne(environmentId, webhookId))) throw notFound();
    return this.work.run(async (tx) => {
      const before = await this.replays.lock(environmentId, { webhookId, id }, tx);
      if (!before) throw notFound();
      const after = await this.replays.cancel(environmentId, id, tx);
      if (!after) return shownReplay(before);
      await this.record(environmentId, { event: REPLAY_ENDED, actor, before, after }, tx);
      return shownReplay(after);
    });
  }

  private async startOrFind(
    environmentId: EnvironmentId,
    webhookId: string,
    { terms, actor }: { terms: ReplayTerms; actor: Actor },
    tx: Transaction,
  ): Promise<WebhookReplayEntity> {
    for (let tries = 0; tries < TRIES; tries++) {
      const after = await this.replays.insertIfAbsent(environmentId, { id: newId(), webhookId, ...terms }, tx);
      if (after) {
        await this.record(environmentId, { event: REPLAY_STARTED, actor, before: null, after }, tx);
        return after;
      }
      const found = await this.replays.findUnderWay(environmentId, webhookId, tx);
      if (found && isSameRequest(found, terms)) return found;
      if (found) throw replayUnderWay({ payload: { replayId: found.id } });
    }
    throw conflict();
  }

  private async record(
    environmentId: EnvironmentId,
    {
      event,
      actor,
      before,
      after,
    }: {
      event: typeof REPLAY_STARTED;
      actor: Actor;
      before: WebhookReplayEntity | null;
      after: WebhookReplayEntity;
    },
    tx: Transaction,
  ): Promise<void> {
    const states = { before: before && shownReplay(before), after: shownReplay(after) };
    const resource = { type: 'webhookReplay', id: after.id };
    await this.changes.record({ scope: { environmentId }, actor, event, resource, ...states }, tx);
  }
}
