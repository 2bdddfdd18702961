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

/** What somebody changed. */
export interface Change {
  /** The tenant whose record it is. Rows of an environment that goes with this change are the organization's. */
  scope: ChangeScope;
  /** The caller, from `@Caller()`, or `SERVICE`. */
  actor: Actor;
  /** Its name is the action of the record. */
  event: EventDefinition;
  resource: { type: string; id: string };
  /** The state that was replaced, read under a lock (`lock` of the repository); null when something is new. */
  before: object | null;
  /** The state from now on; null when something is gone. */
  after: object | null;
  /** `data` of the event; by default what its payload declares of `after` (or the id alone), without secrets. */
  data?: object;
}

/** What somebody did that is no change of a record. */
export interface Note extends Pick<Change, 'scope' | 'actor' | 'resource'> {
  /** Named like an event. */
  action: string;
}

/** What became of users of an application. */
export interface Told {
  /** What the events are about, as the trail calls it. */
  type: string | ((draft: EventDraft) => string);
  actor: Actor;
  drafts: readonly EventDraft[];
  /** Servers do it all day: of theirs the events keep who it was, and the trail has what members do by hand. */
  routine?: boolean;
}

/**
 * The one way to record a change of what an organization's members manage: who, what, before and after in the audit
 * trail, and the event for those who listen. All of it commits with the change, or none.
 */
@Injectable()
export class ChangeLog {
  constructor(
    private readonly outbox: Outbox,
    private readonly trail: AuditTrail,
    private readonly console: ConsoleEnvironment,
    private readonly security: SecurityLog,
  ) {}

  async record(change: Change, tx: Transaction): Promise<void> {
    const { scope, event, resource, before, after, actor } = change;
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
    // The console environment belongs to no organization, so its changes are events alone.
    if ('environmentId' in scope && scope.environmentId === consoleId) return;
    const changes = fieldChanges(before, after);
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

  /** That a secret is another one stands among changes of all kinds, whose events are no matter of security themselves. */
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

  /** For what changes nothing that others follow, and must leave a trace all the same: the trail alone. */
  note({ scope, actor, action, resource }: Note, tx: Transaction): void {
    const { type: resourceType, id: resourceId } = resource;
    this.trail.add(scope, { actor: storedActor(actor), action, resourceType, resourceId, changes: [] }, tx);
  }

  /**
   * Tells what became of users of an application and of what is theirs. A user who did it is named by each event. Where a
   * member or a server did it, the trail says who did what to which record; what the record was, it does not keep.
   */
  async tell(
    environmentId: EnvironmentId,
    { type, actor, drafts, routine = false }: Told,
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
