import { Transform } from 'class-transformer';
import {
  BooleanField,
  defineEnum,
  EnumField,
  EnumListField,
  IntegerField,
  OmitOf,
  DateField,
  ListField,
  PickOf,
  StringField,
  StringListField,
  UuidField,
} from '../common/fields/index.js';
import { MAX_HEADER_NAME, MAX_HEADER_VALUE, MAX_HEADERS } from './custom-headers.js';

/** More than exist: a webhook may subscribe to all of them. */
const MAX_EVENT_TYPES = 500;
const EVENTS_TEXT =
  'Names of the events to send, see GET /eventTypes. Those of an organization are sent only to webhooks of the console environment, which belong to the operator.';

export const SIGNATURES = defineEnum('WebhookSignatureScheme', ['v1', 'v1a']);
const SIGNATURES_TEXT =
  'Schemes of `webhook-signature` (Standard Webhooks 1.0). `v1`, HMAC-SHA256 with the secret, is always sent; `v1a`, Ed25519, is for receivers that should be able to verify but not to sign.';

export const ORDERINGS = defineEnum('WebhookOrdering', ['none', 'user']);
const ORDERING_TEXT =
  '`user`: a message about a user is sent only after every earlier one about the same user has been delivered or is out of attempts; others do not wait. `none`: as soon as possible. Applies to events from then on.';

/** A webhook as the API shows it. */
export class Webhook {
  @UuidField()
  environmentId!: string;

  @UuidField()
  webhookId!: string;

  @StringField({
    description: 'Where messages are sent: https, a public hostname, port 443 or 8443. Stored in normalised form.',
    example: 'https://example.com/hooks',
  })
  url!: string;

  @StringField({
    optional: true,
    description: 'The signing secret. Shown when the webhook is created, and later only on request.',
  })
  secret?: string;

  @DateField({
    optional: true,
    description: 'Until when the previous secret also signs; absent if no rotation is in progress.',
  })
  previousSecretUntil?: Date;

  @EnumListField(SIGNATURES, { max: 2, description: SIGNATURES_TEXT })
  signatures!: ('v1' | 'v1a')[];

  @StringField({
    optional: true,
    description: 'Verifies `v1a` signatures: `whpk_` and the base64 of an Ed25519 public key. Absent without `v1a`.',
    example: 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
  })
  publicKey?: string;

  @EnumField(ORDERINGS, { description: ORDERING_TEXT })
  ordering!: 'none' | 'user';

  @StringListField({ description: 'Names of additional header fields that are sent; their values are never shown.' })
  headerNames!: string[];

  @StringField({
    optional: true,
    description: 'Schema version of the messages: the newest when the webhook was created; it never changes.',
  })
  version?: string;

  @StringListField({
    most: MAX_EVENT_TYPES,
    description: `${EVENTS_TEXT} With an empty list, the webhook receives only the ping.`,
  })
  events!: string[];

  @BooleanField({ description: 'While this is false, messages that are due fail; they can be redelivered manually.' })
  isEnabled!: boolean;

  @DateField({ optional: true, description: 'Since when it has been enabled; absent if it is disabled.' })
  enabledAt?: Date;

  @DateField()
  createdAt!: Date;

  @DateField()
  updatedAt!: Date;
}

/** A webhook as events show it: never its secret. */
export class WebhookPayload extends OmitOf(Webhook, ['secret']) {}

export const DISABLED_REASONS = defineEnum('WebhookDisabledReason', ['gone', 'failing']);

export class DisabledWebhookPayload extends WebhookPayload {
  @EnumField(DISABLED_REASONS, {
    description: '`gone`: it answered 410. `failing`: every delivery failed for five days.',
  })
  reason!: 'gone' | 'failing';
}

export class PingPayload {
  @UuidField()
  webhookId!: string;
}

/** A header field in a request. */
export class WebhookHeader {
  @StringField({
    min: 1,
    max: MAX_HEADER_NAME,
    description: 'Case-insensitive; not one that the sender sets itself.',
    example: 'x-api-key',
  })
  name!: string;

  @StringField({ min: 1, max: MAX_HEADER_VALUE, description: 'Visible ASCII. Stored encrypted and never shown again.' })
  value!: string;
}

const HEADERS_TEXT =
  'Header fields to send with every message, such as `authorization`. Replaces the whole set: omitted ones are removed.';
const KEPT_TEXT = 'If omitted from a change, it is unchanged.';

/** The requested state of a webhook. */
class WebhookRequest extends PickOf(Webhook, ['url', 'isEnabled']) {
  @EnumListField(SIGNATURES, { optional: true, max: 2, description: `${SIGNATURES_TEXT} ${KEPT_TEXT}` })
  signatures?: ('v1' | 'v1a')[];

  @ListField(() => WebhookHeader, { optional: true, max: MAX_HEADERS, description: `${HEADERS_TEXT} ${KEPT_TEXT}` })
  headers?: WebhookHeader[];

  @EnumField(ORDERINGS, { optional: true, description: `${ORDERING_TEXT} ${KEPT_TEXT}` })
  ordering?: 'none' | 'user';
}

export class WebhookCreateRequest extends WebhookRequest {
  @StringListField({
    most: MAX_EVENT_TYPES,
    minLength: 1,
    maxLength: 255,
    description: EVENTS_TEXT,
  })
  events!: string[];
}

export class WebhookUpdateRequest extends WebhookRequest {
  @StringListField({ most: MAX_EVENT_TYPES, description: EVENTS_TEXT })
  events!: string[];
}

export const MAX_OVERLAP_HOURS = 168;
export const DEFAULT_OVERLAP_HOURS = 24;

export class WebhookRotateSecretRequest {
  @IntegerField({
    optional: true,
    min: 0,
    max: MAX_OVERLAP_HOURS,
    description: `How long the previous secret also signs; defaults to ${DEFAULT_OVERLAP_HOURS}. 0 ends it, and an overlap in progress, at once.`,
    example: DEFAULT_OVERLAP_HOURS,
  })
  overlapHours?: number;
}

export class WebhooksResponse {
  @StringField({ optional: true, description: 'Always absent: the webhooks of an environment fit on one page.' })
  cursor?: string;

  @ListField(() => Webhook, { optional: true })
  data?: Webhook[];
}

const WORDS: Readonly<Record<string, boolean>> = { true: true, false: false };

export class GetWebhookQuery {
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (WORDS[value] ?? value) : value))
  @BooleanField({
    optional: true,
    description:
      'Whether to include the secret. This needs the right to change webhooks and, for members, a recent proof.',
  })
  includeSecret?: boolean;
}
