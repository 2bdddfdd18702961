import { DateField, IntegerField, JsonField, ListField, StringField, UuidField } from '../../common/fields/index.js';

/** One attempt to deliver a message; in lists of messages, the latest attempt of each. */
export class WebhookMessageDelivery {
  @UuidField({ description: 'Id of the attempt; before the first one, the id of the message.' })
  deliveryId!: string;

  @UuidField()
  eventId!: string;

  @UuidField({
    description: 'The same for every attempt; sent as `webhook-id`. Receivers can use it to recognise duplicates.',
  })
  messageId!: string;

  @UuidField()
  environmentId!: string;

  @UuidField()
  webhookId!: string;

  @StringField({
    description:
      'In lists of messages: `pending` (waits for its first or next attempt), `sending`, `delivered`, or `failed` (no attempt is left). In lists of deliveries: `delivered` or `failed`.',
    example: 'delivered',
  })
  status!: string;

  @DateField({ description: 'When the request was sent; before the first attempt, when it is due.' })
  deliveredAt!: Date;

  @DateField()
  messageCreatedAt!: Date;

  @DateField({ description: 'When the event was turned into messages.' })
  eventReceivedAt!: Date;

  @DateField()
  eventCreatedAt!: Date;

  @IntegerField({ description: 'Number of the attempt, from 1; 0 before the first.' })
  deliveryAttempt!: number;

  @JsonField({
    description: '`url`, `headers` and `body` (text, at most 20,000 bytes); empty before the first attempt.',
  })
  request!: Record<string, unknown>;

  @JsonField({
    description:
      '`status`, `headers` (credentials masked), `body` (text, at most 20,000 bytes), `durationMs`, and in `error` why the attempt failed: `timeout`, `dns`, `tls`, `refused` or `status`. Empty before the first attempt.',
  })
  response!: Record<string, unknown>;

  @DateField()
  updatedAt!: Date;

  @DateField()
  createdAt!: Date;
}

export class WebhookMessagesResponse {
  @StringField({
    optional: true,
    description: 'Pass it to the same operation for the next page; absent on the last page.',
  })
  cursor?: string;

  @ListField(() => WebhookMessageDelivery, { optional: true, description: 'Newest first.' })
  data?: WebhookMessageDelivery[];
}

export class WebhookMessageRedeliveryResponse {
  @StringField({ optional: true })
  message?: string;
}

export class GetWebhookMessagesQuery {
  @StringField({ optional: true, description: 'The `cursor` of the previous page.' })
  cursor?: string;
}
