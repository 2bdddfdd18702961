import { defineError } from '../common/errors/index.js';

export const webhookUrlRefused = defineError({
  code: 'webhook_url_refused',
  status: 400,
  message: 'Webhooks cannot be sent to this URL.',
  hint: 'Use https:// with a public host name, on port 443 or 8443, without user name, password or fragment.',
  cause:
    'The URL is malformed, not https, names a private address, or uses a port that is not allowed. Topics of Amazon SNS are not supported.',
  fix: 'Use a public https address. Operators can allow private receivers, such as one on the same machine, with `EGRESS_ALLOW`.',
});

export const unknownEvent = defineError({
  code: 'unknown_event',
  status: 400,
  message: 'A webhook cannot subscribe to one of these events.',
  hint: 'See payload.unknown, and GET /eventTypes for the names that exist.',
  cause: 'The list names an event that does not exist or that is never sent to webhooks.',
  fix: 'Take the names from `GET /eventTypes`.',
});

export const tooManyWebhooks = defineError({
  code: 'too_many_webhooks',
  status: 422,
  message: 'The environment has reached the limit of webhooks.',
  hint: 'Delete a webhook, or let one of them receive more events.',
  cause: 'An environment may have 20 webhooks.',
  fix: 'Delete webhooks that are no longer used; one webhook can receive any number of events.',
});

export const webhookDisabled = defineError({
  code: 'webhook_disabled',
  status: 422,
  message: 'The webhook is disabled.',
  hint: 'Enable the webhook (PUT with isEnabled true), then redeliver.',
  cause:
    'Nothing is sent to a disabled webhook. One that answers 410 or fails for five days is disabled by the service.',
  fix: 'Fix the receiver, enable the webhook, and request the redelivery again.',
});

export const webhookHeaderRefused = defineError({
  code: 'webhook_header_refused',
  status: 400,
  message: 'A webhook cannot send one of these header fields.',
  hint: 'See payload.name and payload.reason: name, value, reserved or repeated.',
  cause:
    'A name is not an HTTP token, is repeated, or is reserved for the sender: framing and hop-by-hop fields, `content-*`, `host`, `user-agent`, proxy fields, and every field of a signature. Or a value is not visible ASCII text.',
  fix: 'Use your own name such as `x-api-key`, or `authorization`, and a value without line breaks or leading and trailing spaces.',
});

export const secretRotationUnderWay = defineError({
  code: 'secret_rotation_under_way',
  status: 409,
  message: 'The previous secret is still in use, until payload.until.',
  hint: 'Rotate again after that time, or now with overlapHours 0, which ends both secrets immediately.',
  cause: 'At most two secrets can sign at a time, and the overlap of the last rotation is not over.',
  fix: 'Wait for the end of the overlap. If a secret has leaked, rotate with `overlapHours: 0`.',
});
