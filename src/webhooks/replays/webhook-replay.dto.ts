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
  '`all`: every message made in the range. `failed`: those with no attempts left. `missing`: events in the range that the webhook subscribes to but that never became a message for it.';

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

  @DateField({ description: 'Never later than the request.' })
  endDate!: Date;

  @EnumField(REPLAY_STATES, {
    description:
      '`counting`, then `running`, then one of: `completed`, `canceled`, or `failed` (the webhook was disabled meanwhile).',
  })
  state!: ReplayState;

  @IntegerField({ description: 'Number of messages found; final once `state` is no longer `counting`.' })
  total!: number;

  @IntegerField({
    description:
      'Messages that were handed to delivery. Less than `total` in the end where some were sent or redelivered by other means meanwhile.',
  })
  done!: number;

  @DateField()
  createdAt!: Date;

  @DateField()
  updatedAt!: Date;

  @DateField({ optional: true, description: 'Absent while it is under way.' })
  endedAt?: Date;
}

export class WebhookReplayCreateRequest {
  @EnumField(REPLAY_SELECTIONS, { optional: true, description: `${SELECTION} Without it, \`all\`.` })
  messages?: ReplaySelection;

  @StringField({
    max: 40,
    pattern: DAY_OR_INSTANT,
    description: 'ISO 8601, an instant with offset or a day in UTC; included.',
    example: '2026-01-31T12:00:00Z',
  })
  startDate!: string;

  @StringField({
    optional: true,
    max: 40,
    pattern: DAY_OR_INSTANT,
    description: 'ISO 8601, an instant with offset or a day in UTC; included. Without it, the moment of the request.',
  })
  endDate?: string;
}

export class WebhookReplaysResponse {
  @StringField({ optional: true, description: 'Give it to the same operation for the next page; absent on the last.' })
  cursor?: string;

  @ListField(() => WebhookReplay, { optional: true, description: 'Newest first.' })
  data?: WebhookReplay[];
}

export class GetWebhookReplaysQuery {
  @StringField({ optional: true, description: 'From the previous page.' })
  cursor?: string;
}
