import type { INestApplicationContext } from '@nestjs/common';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { Outbox, type EventDraft } from '../../src/database/index.js';
import type { JsonSchema, OpenApiDoc } from './contract/openapi-document.js';
import { closed, strictDocument } from './contract/strict-schemas.js';

interface SentEvent {
  post?: { requestBody?: { content: { 'application/json': { schema: JsonSchema } } } };
}

/** Checks event data against the `webhooks` of a document; undeclared fields are mistakes. */
export class PayloadValidator {
  private readonly ajv = new Ajv2020({ allErrors: true, strict: false });
  private readonly checks = new Map<string, ValidateFunction>();
  private readonly sent: Record<string, SentEvent>;

  constructor(document: OpenApiDoc & { webhooks?: Record<string, SentEvent> }) {
    addFormats.default(this.ajv);
    // Addresses may be international or quoted (RFC 6531, RFC 5321 section 4.1.2); the library's format is narrower.
    this.ajv.addFormat('email', /^.+@.+$/);
    this.ajv.addSchema(strictDocument(document));
    this.sent = document.webhooks ?? {};
  }

  /** Events of the document without a description of `data`. */
  get undescribed(): string[] {
    return Object.keys(this.sent).filter((name) => !this.schemaOf(name));
  }

  /** Problems in an event's data; none if the document does not contain the event. */
  problems(name: string, data: unknown): string[] {
    const schema = this.schemaOf(name);
    if (!schema) return [];
    const check = this.checks.get(name) ?? this.ajv.compile(closed(schema));
    this.checks.set(name, check);
    if (check(data)) return [];
    return (check.errors ?? []).map(
      ({ instancePath, message, params }) => `${name}: data${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  private schemaOf(name: string): JsonSchema | undefined {
    const parts = this.sent[name]?.post?.requestBody?.content['application/json'].schema.allOf ?? [];
    return parts.map(({ properties }) => properties?.['data']).find((data) => data !== undefined);
  }
}

let committed: PayloadValidator | undefined;

/** The validator of the committed document. */
export const payloads = (): PayloadValidator =>
  (committed ??= new PayloadValidator(
    JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as OpenApiDoc,
  ));

/** Checks every event appended by a service under test against the document. */
export function assertDocumentedEvents(app: INestApplicationContext, document?: OpenApiDoc): void {
  const validator = document ? new PayloadValidator(document) : payloads();
  const outbox = app.get(Outbox);
  const append = outbox.append.bind(outbox);
  outbox.append = async (environmentId, drafts: readonly EventDraft[], tx) => {
    const problems = drafts.flatMap(({ event, data }) =>
      validator.problems(event.name, JSON.parse(JSON.stringify(data))),
    );
    if (problems.length > 0) throw new Error(`An event is not as documented.\n${problems.join('\n')}`);
    return append(environmentId, drafts, tx);
  };
}
