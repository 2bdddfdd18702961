import { EnumField, JsonField, ListField, StringField, defineEnum, type EnumValue } from '../../common/fields/index.js';

export const CLIENT_EVENT_TYPES = defineEnum('PublishEventsEventsTypeEnum', ['track']);

/** An event reported by a page, unverified. */
export class PublishEventsEvents {
  @StringField({ description: "The page's id of the visitor. Not stored." })
  anonymousId!: string;

  @StringField({ description: 'What happened. Names of 1 to 255 characters are counted.' })
  event!: string;

  @JsonField({ objects: true, description: 'Not stored.' })
  properties!: Record<string, unknown>;

  @EnumField(CLIENT_EVENT_TYPES)
  type!: EnumValue<typeof CLIENT_EVENT_TYPES>;
}

export class PublishEvents {
  @ListField(() => PublishEventsEvents, { min: 1, max: 10 })
  events!: PublishEventsEvents[];
}
