import type { EventDefinition } from '../database/index.js';
import type { OpenApiDocument, PathItem, Schemas } from './document-types.js';

const uuid = { $ref: '#/components/schemas/Uuid' };

/** The body that a webhook receives, whatever the event. */
export const EVENT_BODY_COMPONENT: Schemas = {
  EventBody: {
    type: 'object',
    description:
      'What a webhook receives. Events arrive at least once, in no guaranteed order unless the webhook requests ordering per user.',
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
          'True on samples that an operator sends to try a receiver: nothing has happened. Absent otherwise.',
      },
      userId: { type: 'string', description: 'The user who caused it; absent when an API token or the service did.' },
      externalUserId: { type: 'string', description: 'Their id at an external sign-in.' },
      actor: {
        type: 'object',
        description: 'Who caused it on the side of administration; absent when an end user did.',
        properties: {
          kind: { type: 'string', enum: ['member', 'apiToken', 'service'] },
          id: { type: 'string', description: "Of the member's user, or of the API token." },
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
  header('webhook-id', 'The message; the same at every attempt.'),
  header('webhook-timestamp', 'Seconds since the Unix epoch; refuse what is older than five minutes.'),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body` (Standard Webhooks 1.0); several, separated by spaces, while a rotation overlaps or where the webhook asks for `v1a,` with Ed25519. One that fits is enough.',
  ),
  header(
    'x-webhook-signature-256',
    '`sha256=` and the hexadecimal HMAC-SHA256 of the body alone. It has room for one secret: while a rotation overlaps that is the older one, and the new one from the end of the overlap on.',
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
    `Form of ${version}.`,
    ...(ofOrganization ? ['Sent to webhooks of the console environment, for every organization.'] : []),
    ...(selectable ? [] : ['Not to be asked for: no webhook is sent it, and getEvents has it.']),
  ];
  return {
    post: {
      summary: description,
      description: notes.join(' '),
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
        '2XX': { description: 'Received. Any other answer is tried again later.' },
        '410': { description: 'Gone: the webhook is disabled.' },
      },
    },
  };
}

/** The `webhooks` part of the document (OpenAPI 3.1, 4.8.1): what this service sends. */
export const webhooksOf = (events: readonly EventDefinition[]): NonNullable<OpenApiDocument['webhooks']> =>
  Object.fromEntries(events.map((event) => [event.name, webhookOf(event)]));
