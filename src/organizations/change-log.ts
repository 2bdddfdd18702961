import { Injectable } from '@nestjs/common';
import { currentCause } from '../common/cause.js';
import { projectionOf } from '../common/fields/index.js';
import { isUuid } from '../common/ids.js';
import { SecurityEvent, SecurityLog } from '../common/security/index.js';
import {
  Outbox,
  type EnvironmentId,
  type EventDefinition,
  type EventDraft,
  type Transaction,
} from '../database/index.js';
import { eventActor, storedActor, type Actor } from './audit/actor.js';
import { AuditTrail, type ChangeScope } from './audit/audit-trail.js';
import { fieldChanges, type FieldChange } from './audit/field-changes.js';
import { REDACTED, withoutSecrets } from './audit/redaction.js';
import { ConsoleEnvironment } from './environments/console-environment.js';

/** A change to a record. */
export interface Change {
  /** The tenant that owns the record; the organization, for rows of an environment deleted by this change. */
  scope: ChangeScope;
  /** The caller, from `@Caller()`, or `SERVICE`. */
  actor: Actor;
  /** The event's name becomes the action of the record. */
  event: EventDefinition;
  resource: { type: string; id: string };
  /** The previous state, read under a lock (`lock` of the repository); null for a new record. */
  before: object | null;
  /** The new state; null for a deleted record. */
  after: object | null;
  /** `data` of the event; by default the fields of `after` in its payload (or the id alone), without secrets. */
  data?: object;
}

/** An action that changes no record. */
export interface Note extends Pick<Change, 'scope' | 'actor' | 'resource'> {
  /** Named like an event. */
  action: string;
}

/** Changes to an application's users. */
export interface PublishedEvents {
  /** The resource type of the events in the trail. */
  type: string | ((draft: EventDraft) => string);
  actor: Actor;
  drafts: readonly EventDraft[];
  /** High-volume when done by servers: their events name the server, and the trail has only what members do by hand. */
  routine?: boolean;
}

/**
 * The only way to record a change to what an organization's members manage: the audit trail gets who, what, before and
 * after, subscribers get the event. All of it commits with the change, or none of it.
 */
@Injectable()
export class ChangeLog {
  constructor(
    private readonly outbox: Outbox,
    private readonly trail: AuditTrail,
    private readonly console: ConsoleEnvironment,
    private readonly security: SecurityLog,
  ) {}

  /** Does nothing if both states are equal, apart from `updatedAt`: an update to what is already stored is no change. */
  async record(change: Change, tx: Transaction): Promise<void> {
    const { scope, event, resource, before, after, actor } = change;
    const changes = fieldChanges(before, after);
    if (before && after && changes.length === 0) return;
    const consoleId = await this.console.idOn(tx);
    const published = change.data ?? publishedOf(event, after ?? { id: resource.id });
    const draft = {
      event,
      resourceId: isUuid(resource.id) ? resource.id : null,
      data: 'organizationId' in scope ? { ...published, organizationId: scope.organizationId } : published,
      userId: actor.kind === 'endUser' ? actor.userId : null,
      actor: eventActor(actor),
    };
    await this.outbox.append('organizationId' in scope ? consoleId : scope.environmentId, [draft], tx);
    // The console environment belongs to no organization, so its changes are published as events only.
    if ('environmentId' in scope && scope.environmentId === consoleId) return;
    if (before && after && !event.security && changes.some(isOfSecret)) this.logSecret(change, tx);
    this.trail.add(
      scope,
      {
        actor: storedActor(actor),
        action: event.name,
        resourceType: resource.type,
        resourceId: resource.id,
        changes,
      },
      tx,
    );
  }

  /** Any kind of change can replace a secret, and its event alone is not a security event. */
  private logSecret({ scope, event, resource, actor }: Change, tx: Transaction): void {
    const { kind: principal } = actor;
    const principalId = 'userId' in actor ? actor.userId : 'tokenId' in actor ? actor.tokenId : undefined;
    const fields = {
      requestId: currentCause()?.requestId,
      ...('environmentId' in scope && { environmentId: scope.environmentId }),
      eventName: event.name,
      resourceId: resource.id,
      ...(principalId !== undefined && { principal, principalId }),
    };
    tx.afterCommit(() => this.security.record(SecurityEvent.SecretChanged, fields));
  }

  /** Adds to the trail only: for actions that publish no event but must leave a trace. */
  note({ scope, actor, action, resource }: Note, tx: Transaction): void {
    const { type: resourceType, id: resourceId } = resource;
    this.trail.add(scope, { actor: storedActor(actor), action, resourceType, resourceId, changes: [] }, tx);
  }

  /**
   * Publishes events on an application's users and what belongs to them. An event caused by a user names that user. For
   * a member or a server, the trail records who did what to which record, but not the record's contents.
   */
  async tell(
    environmentId: EnvironmentId,
    { type, actor, drafts, routine = false }: PublishedEvents,
    tx: Transaction,
  ): Promise<void> {
    const [by, causer] = [eventActor(actor), actor.kind === 'endUser' ? actor.userId : null];
    const caused = drafts.map((draft) => {
      const userId = draft.userId ?? causer;
      return { ...draft, userId, actor: userId ? null : by };
    });
    await this.outbox.append(environmentId, caused, tx);
    const isRecorded = actor.kind === 'dashboardUser' || (actor.kind === 'environmentToken' && !routine);
    if (!isRecorded || environmentId === (await this.console.idOn(tx))) return;
    for (const draft of drafts) {
      const { event, resourceId } = draft;
      const resourceType = typeof type === 'string' ? type : type(draft);
      const done = { action: event.name, resourceType, resourceId: resourceId ?? environmentId, changes: [] };
      this.trail.add({ environmentId }, { actor: storedActor(actor), ...done }, tx);
    }
  }
}

const isOfSecret = (change: FieldChange): boolean => change.before === REDACTED && change.after === REDACTED;

const publishedOf = ({ payload }: EventDefinition, record: object): object =>
  projectionOf(payload)(withoutSecrets(record)) as object;
