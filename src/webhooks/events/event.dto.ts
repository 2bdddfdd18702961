import {
  DateField,
  defineEnum,
  EnumField,
  JsonField,
  ListField,
  RefField,
  StringField,
  UuidField,
} from '../../common/fields/index.js';

export const ENVIRONMENT_NAMES = defineEnum('EnvironmentEnum', ['sandbox', 'live']);

export class EventType {
  @StringField({ description: 'The format is {resourceType}.{action}. Names may be added at any time.' })
  name!: string;

  @StringField()
  description!: string;

  @StringField({ optional: true, description: 'Version of the schema of `data`.', example: '2026-11-20' })
  version?: string;

  @StringField({
    optional: true,
    description: 'The schema of `data` in the OpenAPI document, which describes each event under `webhooks` as well.',
    example: '#/components/schemas/User',
  })
  payloadSchema?: string;
}

export const EVENT_ACTOR_KINDS = defineEnum('EventActorKind', ['member', 'apiToken', 'service']);

export class EventActor {
  @EnumField(EVENT_ACTOR_KINDS, { description: '`service`: a job of the service, or a command run by its operator.' })
  kind!: 'member' | 'apiToken' | 'service';

  @StringField({ optional: true, description: "Id of the member's user or of the API token. Absent for the service." })
  id?: string;

  @StringField({ optional: true, description: 'The personal token that the member acted with.' })
  tokenId?: string;
}

export class EventContext {
  @StringField({
    optional: true,
    description: 'The end user who caused it; absent if a token, a member or the service did.',
  })
  userId?: string;

  @RefField(() => EventActor, {
    optional: true,
    description: 'The member, API token or service that caused it; absent if an end user did.',
  })
  actor?: EventActor;

  @StringField({ optional: true, description: 'Schema version of the event.' })
  version?: string;
}

export class Event {
  @UuidField()
  eventId!: string;

  @UuidField()
  environmentId!: string;

  @EnumField(ENVIRONMENT_NAMES)
  environmentName!: 'sandbox' | 'live';

  @StringField({ optional: true, description: 'What happened: the last part of the event name.', example: 'created' })
  eventAction?: string;

  @StringField({ example: 'user.created' })
  eventName!: string;

  @StringField({
    optional: true,
    description: 'The resource that it happened to: the event name without its last part.',
    example: 'user',
  })
  resourceType?: string;

  @DateField()
  timestamp!: Date;

  @JsonField({ description: 'The object the event is about.' })
  data!: Record<string, unknown>;

  @RefField(() => EventContext)
  context!: EventContext;
}

export class EventsResponse {
  @StringField({
    optional: true,
    description: 'Pass it to the same operation for the next page; absent on the last page.',
  })
  cursor?: string;

  @ListField(() => Event, { optional: true, description: 'Newest first.' })
  data?: Event[];
}

export class GetEventsQuery {
  @StringField({ optional: true, description: 'The `cursor` of the previous page.' })
  cursor?: string;

  @StringField({ optional: true, description: 'Only events about this resource type and its parts.', example: 'user' })
  resourceType?: string;

  @StringField({ optional: true, description: 'ISO 8601: an instant with an offset, or a day in UTC. Inclusive.' })
  startDate?: string;

  @StringField({ optional: true, description: 'ISO 8601: an instant with an offset, or a day in UTC. Inclusive.' })
  endDate?: string;
}
