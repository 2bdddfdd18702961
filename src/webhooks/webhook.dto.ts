import { Transform } from 'class-transformer';
import {
  BooleanField,
  defineEnum,
  EnumField,
  OmitOf,
  DateField,
  ListField,
  PickOf,
  StringField,
  StringListField,
  UuidField,
} from '../common/fields/index.js';

/** A webhook as the API shows it. */
export class Webhook {
  @UuidField()
  environmentId!: string;

  @UuidField()
  webhookId!: string;

  @StringField({
    description: 'Where messages are sent: https, a public host name, port 443 or 8443. Kept in its normal form.',
    example: 'https://example.com/hooks',
  })
  url!: string;

  @StringField({
    optional: true,
    description: 'Key of the signatures. Shown when the webhook is made, and later only to those who ask for it.',
  })
  secret?: string;

  @StringField({ optional: true, description: 'Form of the messages.' })
  version?: string;

  @StringListField({
    description: 'Names of the events to send, see GET /eventTypes. An empty list receives nothing but the ping.',
  })
  events!: string[];

  @BooleanField({ description: 'Messages that fall due while this is false fail; they can be redelivered by hand.' })
  isEnabled!: boolean;

  @DateField({ optional: true, description: 'Since when it is enabled; absent while it is not.' })
  enabledAt?: Date;

  @DateField()
  createdAt!: Date;

  @DateField()
  updatedAt!: Date;
}

/** A webhook as events tell it: never its secret. */
export class WebhookPayload extends OmitOf(Webhook, ['secret']) {}

export const DISABLED_REASONS = defineEnum('WebhookDisabledReason', ['gone', 'failing']);

export class DisabledWebhookPayload extends WebhookPayload {
  @EnumField(DISABLED_REASONS, {
    description: '`gone`: it answered 410. `failing`: it did nothing else for five days.',
  })
  reason!: 'gone' | 'failing';
}

export class PingPayload {
  @UuidField()
  webhookId!: string;
}

export class WebhookCreateRequest extends PickOf(Webhook, ['url', 'isEnabled']) {
  @StringListField({ minLength: 1, maxLength: 255, description: 'Names of the events to send, see GET /eventTypes.' })
  events!: string[];
}

export class WebhookUpdateRequest extends PickOf(Webhook, ['url', 'isEnabled', 'events']) {}

export class WebhooksResponse {
  @StringField({ optional: true, description: 'Always absent: an environment has few enough webhooks for one page.' })
  cursor?: string;

  @ListField(() => Webhook, { optional: true })
  data?: Webhook[];
}

const WORDS: Readonly<Record<string, boolean>> = { true: true, false: false };

export class GetWebhookQuery {
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (WORDS[value] ?? value) : value))
  @BooleanField({ optional: true, description: 'Whether to show the secret; viewers are refused it.' })
  includeSecret?: boolean;
}
