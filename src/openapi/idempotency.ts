import type { Operation, Parameter } from './document-types.js';

const KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key of your own, such as a UUID. For 24 hours, a call repeated with the same key takes effect only once: it gets the answer to the first call, with `Idempotent-Replayed: true`. A repeat gets 409 while the first call is still running, and 422 if its path, query or body differs. Calls that were refused may be repeated with the same key.',
  schema: { type: 'string', minLength: 1, maxLength: 257 },
  example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
};

const REPLAYED = {
  description: 'Present when this is the answer to an earlier call with the same `Idempotency-Key`.',
  schema: { type: 'string' as const, enum: ['true'] },
};

/** Adds the header to operations that take it, and the repetition header to their responses. */
export function documentIdempotency(operation: Operation): void {
  if (!operation['x-idempotent']) return;
  operation.parameters = [...(operation.parameters ?? []), KEY];
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!response || !status.startsWith('2') || '$ref' in response) continue;
    response.headers = { ...response.headers, 'Idempotent-Replayed': REPLAYED };
  }
}
