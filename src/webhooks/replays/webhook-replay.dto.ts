import {
  DateField,
  defineEnum,
  EnumField,
  IntegerField,
  ListField,
  StringField,
  UuidField,
  type EnumValue,
} from '../../common/fields/index.js';
import { DAY_OR_INSTANT } from '../events/event-period.js';

export const REPLAY_SELECTIONS = defineEnum('WebhookReplaySelection', ['all', 'failed', 'missing']);
export const REPLAY_STATES = defineEnum('WebhookReplayState', [
  'counting',
  'running',
  'completed',
  'canceled',
  'failed',
]);

export type ReplaySelection = EnumValue<typeof REPLAY_SELECTIONS>;
export type ReplayState = EnumValue<typeof REPLAY_STATES>;

const SELECTION =
  '`all`: every message created in the range. `failed`: those that are out of attempts. `missing`: events in the range that the webhook subscribes to but that never became a message for it.';

/** A replay as the API shows it. */
export class WebhookReplay {
  @UuidField()
  id!: string;

  @UuidField()
  webhookId!: string;

  @EnumField(REPLAY_SELECTIONS, { description: SELECTION })
  messages!: ReplaySelection;

  @DateField()
  startDate!: Date;

  @DateField({ description: 'Never later than the time of the request.' })
  endDate!: Date;

  @EnumField(REPLAY_STATES, {
    description:
      '`counting`, then `running`, then one of: `completed`, `canceled`, or `failed` (the webhook was disabled in the meantime).',
  })
  state!: ReplayState;

  @IntegerField({ description: 'Number of messages found; final once `state` is no longer `counting`.' })
  total!: number;

  @IntegerField({
    description:
      'Messages handed to delivery. Can end below `total` if some were sent or redelivered by other means in the meantime.',
  })
  done!: number;

  @DateField()
  createdAt!: Date;

  @DateField()
  updatedAt!: Date;

  @DateField({ optional: true, description: 'Absent while it is in progress.' })
  endedAt?: Date;
}

export class WebhookReplayCreateRequest {
  @EnumField(REPLAY_SELECTIONS, { optional: true, description: `${SELECTION} Defaults to \`all\`.` })
  messages?: ReplaySelection;

  @StringField({
    max: 40,
    pattern: DAY_OR_INSTANT,
    description: 'ISO 8601: an instant with an offset, or a day in UTC. Inclusive, and not in the future.',
    example: '2026-01-31T12:00:00Z',
  })
  startDate!: string;

  @StringField({
    optional: true,
    max: 40,
    pattern: DAY_OR_INSTANT,
    description:
      'ISO 8601: an instant with an offset, or a day in UTC. Inclusive. Defaults to the time of the request.',
  })
  endDate?: string;
}

export class WebhookReplaysResponse {
  @StringField({
    optional: true,
    description: 'Pass it to the same operation for the next page; absent on the last page.',
  })
  cursor?: string;

  @ListField(() => WebhookReplay, { optional: true, description: 'Newest first.' })
  data?: WebhookReplay[];
}

export class GetWebhookReplaysQuery {
  @StringField({ optional: true, description: 'The `cursor` of the previous page.' })
  cursor?: string;
}
