import { ORGANIZATION_EVENT_NOTE, type EventDefinition } from '../database/index.js';
import type { OpenApiDocument, PathItem, Schemas } from './document-types.js';

const uuid = { $ref: '#/components/schemas/Uuid' };

/** The body sent to webhooks, for any event. */
export const EVENT_BODY_COMPONENT: Schemas = {
  EventBody: {
    type: 'object',
    description:
      'What a webhook receives. Events are delivered at least once, and in no guaranteed order unless the webhook requests per-user ordering.',
    properties: {
      eventId: { ...uuid },
      messageId: { ...uuid },
      webhookId: { ...uuid },
      eventName: { type: 'string' },
      environmentId: { ...uuid },
      environmentName: { type: 'string', enum: ['sandbox', 'live'] },
      timestamp: { type: 'string', format: 'date-time' },
      redelivery: { type: 'boolean', description: 'True if the message was sent again on request.' },
      sample: {
        type: 'boolean',
        description:
          'True for samples that an operator sends to test a receiver: nothing has happened. Otherwise absent.',
      },
      userId: { type: 'string', description: 'The end user who caused it; absent if an API token or the service did.' },
      externalUserId: { type: 'string', description: 'Their id at an external identity provider.' },
      actor: {
        type: 'object',
        description: 'The member, API token or service that caused it; absent if an end user did.',
        properties: {
          kind: { type: 'string', enum: ['member', 'apiToken', 'service'] },
          id: { type: 'string', description: "Id of the member's user or of the API token." },
          tokenId: { type: 'string', description: 'The personal token that the member acted with.' },
        },
        required: ['kind'],
      },
      data: { type: 'object', additionalProperties: true, description: 'The object the event is about.' },
    },
    required: [
      'eventId',
      'messageId',
      'webhookId',
      'eventName',
      'environmentId',
      'environmentName',
      'timestamp',
      'redelivery',
      'data',
    ],
  },
};

const header = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' },
});

const HEADERS = [
  header('webhook-id', 'Id of the message; the same for every attempt.'),
  header('webhook-timestamp', 'Seconds since the Unix epoch; reject requests older than five minutes.'),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body` (Standard Webhooks 1.0); the key is what the base64 after `whsec_` in the secret stands for. If the webhook also uses `v1a`, `v1a,` and the base64 Ed25519 signature of the same bytes, for its `publicKey`. Several signatures are separated by spaces; there are more while a rotation overlaps. One valid signature is enough.',
  ),
  header(
    'x-webhook-signature-256',
    "`sha256=` and the hexadecimal HMAC-SHA256 of the body alone; the key is the text of the whole secret, with `whsec_`. It holds only one signature: during a rotation's overlap that of the older secret, afterwards that of the new one.",
  ),
];

/** The schema of `data`. */
function dataOf({ payload, ofOrganization }: EventDefinition) {
  const record = { $ref: `#/components/schemas/${payload.name}` };
  const tenant = { type: 'object', properties: { organizationId: { ...uuid } }, required: ['organizationId'] };
  return ofOrganization ? { allOf: [record, tenant] } : record;
}

function webhookOf(event: EventDefinition): PathItem {
  const { name, description, version, selectable, ofOrganization } = event;
  const notes = [
    `Schema version ${version}.`,
    ...(ofOrganization ? [ORGANIZATION_EVENT_NOTE] : []),
    ...(selectable ? [] : ['Not sent to webhooks; listed by getEvents only.']),
  ];
  return {
    post: {
      summary: description,
      description: notes.join(' '),
      security: [],
      parameters: HEADERS.map((parameter) => ({ ...parameter })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/EventBody' },
                { type: 'object', properties: { eventName: { type: 'string', enum: [name] }, data: dataOf(event) } },
              ],
            },
          },
        },
      },
      responses: {
        '2XX': {
          description:
            'Received, if the answer is complete within 15 seconds. After any other answer, or none, delivery is retried. Redirects are not followed.',
        },
        '410': { description: 'Gone: the webhook is disabled.' },
      },
    },
  };
}

/** The `webhooks` part of the document (OpenAPI 3.1, 4.8.1): what this service sends. */
export const webhooksOf = (events: readonly EventDefinition[]): NonNullable<OpenApiDocument['webhooks']> =>
  Object.fromEntries(events.map((event) => [event.name, webhookOf(event)]));
