import { createHash } from 'node:crypto';
import { operationsOf, type OpenApiDocument, type Operation, type Schemas } from '../document-types.js';
import type { ExampleFacts } from './example-facts.js';
import { REQUEST_EXAMPLES } from './request-examples.js';
import { Sampler, type SampledSchema } from './sampler.js';

/** For readers without an environment. */
const FACTS: ExampleFacts = { webhookUrl: 'https://example.com/hooks' };
const NOW = new Date('2026-01-31T12:00:00.000Z');

/** The same for the same name, so that the generated document is reproducible. */
function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `018f0000-0000-7000-8${hex.slice(0, 3)}-${hex.slice(3, 15)}`;
}

/** Gives every request body and response an example: the operation's own, or else one generated from its schema. */
export function documentExamples(document: OpenApiDocument, schemas: Schemas): void {
  const requests = new Sampler(schemas, { idOf, now: NOW, leastOf: 'request' });
  const answers = new Sampler(schemas, { idOf, now: NOW });
  for (const { operation } of operationsOf(document)) {
    const body = mediaOf(operation.requestBody);
    if (body?.schema) {
      body.example ??= REQUEST_EXAMPLES[operation.operationId ?? '']?.(FACTS) ?? requests.of(body.schema);
    }
    for (const [status, response] of Object.entries(operation.responses)) {
      const answer = status.startsWith('2') ? mediaOf(response) : undefined;
      if (answer?.schema) answer.example ??= answers.of(answer.schema);
    }
  }
}

interface Media {
  schema?: SampledSchema;
  example?: unknown;
}

const mediaOf = (holder: Operation['requestBody'] | Operation['responses'][string]): Media | undefined =>
  holder && 'content' in holder ? holder.content?.['application/json'] : undefined;
