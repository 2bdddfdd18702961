import { Injectable } from '@nestjs/common';
import { TenantDirectory } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { eventRegistry, ORGANIZATION_EVENT_NOTE, type EnvironmentId } from '../../database/index.js';
import { PAGE_SIZE, pageOf, parseCursor, type Page } from '../page-cursor.js';
import { PAYLOAD_VERSION } from '../payload-version.js';
import { environmentName } from './environment-name.js';
import { isAbout, splitEventName } from './event-name.js';
import { endIdOf, firstIdOf, parsePeriod } from './event-period.js';
import type { Event, EventType, GetEventsQuery } from './event.dto.js';
import { EventsRepository, type EventRow } from './events.repository.js';

/** The events of an environment. */
@Injectable()
export class EventsService {
  constructor(
    private readonly events: EventsRepository,
    private readonly tenants: TenantDirectory,
  ) {}

  /** The names a webhook may subscribe to. */
  listTypes(): EventType[] {
    return eventRegistry().flatMap(({ name, description, version, payload, selectable, ofOrganization }) => {
      const payloadSchema = `#/components/schemas/${payload.name}`;
      const told = ofOrganization ? `${description} ${ORGANIZATION_EVENT_NOTE}` : description;
      return selectable ? [{ name, description: told, version, payloadSchema }] : [];
    });
  }

  async list(environmentId: EnvironmentId, query: GetEventsQuery): Promise<Page<Event>> {
    const period = parsePeriod(query);
    const cursor = parseCursor(query.cursor);
    const end = endIdOf(period);
    const range = {
      below: end !== null && end < cursor ? end : cursor,
      from: firstIdOf(period),
      createdFrom: period.from,
      createdUntil: period.until,
      limit: PAGE_SIZE + 1,
    };
    const rows = await this.events.listPage(environmentId, range, namesAbout(query.resourceType));
    const { data, cursor: next } = pageOf(rows, ({ eventId }) => eventId);
    const show = await this.shownIn(environmentId);
    return { data: data.map(show), ...(next !== undefined && { cursor: next }) };
  }

  async get(environmentId: EnvironmentId, id: string): Promise<Event> {
    const row = await this.events.findOne(environmentId, id);
    if (!row) throw notFound();
    return (await this.shownIn(environmentId))(row);
  }

  private async shownIn(environmentId: EnvironmentId): Promise<(row: EventRow) => Event> {
    const environment = await this.tenants.findEnvironment(environmentId);
    if (!environment) throw notFound();
    const name = environmentName(environment.kind);
    return ({ userId, actor, ...row }) => ({
      ...row,
      ...splitEventName(row.eventName),
      environmentId,
      environmentName: name,
      context: { ...(userId !== null && { userId }), ...(actor && { actor }), version: PAYLOAD_VERSION },
    });
  }
}

/** Null means every name. */
function namesAbout(type: string | undefined): string[] | null {
  if (type === undefined || type === '') return null;
  return eventRegistry().flatMap(({ name }) => (isAbout(name, type) ? [name] : []));
}
