import { beforeAll, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { defineEvent } from '../database/index.js';
import { reachableSchemas } from './components.js';
import { buildDocument } from './document.js';
import type { OpenApiDocument } from './document-types.js';
import { Door, Hinge, SampleModule } from './sample-api.fixture.js';

const DOORS = '/environments/{environmentId}/doors';
const ERROR_BODY = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } };
const DOOR = `${DOORS}/{doorId}/of/{colour}`;

describe('the document of an application', () => {
  let document: OpenApiDocument;

  beforeAll(async () => {
    defineEvent('door.added', 'A door was added.', { payload: Door, ofOrganization: true });
    defineEvent('door.swung', 'A door moved.', { payload: Hinge, selectable: false });
    const app = await NestFactory.create(SampleModule, { preview: true, logger: false, abortOnError: false });
    document = buildDocument(app, {
      Hinge: { type: 'object', description: 'loses against the class of the same name' },
      Unused: { type: 'object' },
    });
  });

  it('is OpenAPI 3.1 with relative addresses, and leaves pages out', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Gatehouse', version: 'v0' } });
    expect(document.servers).toEqual([expect.objectContaining({ url: '/api/v0' })]);
    expect(Object.keys(document.paths)).toEqual(['/attic', DOORS, DOOR]);
  });

  it('names both ways to prove who calls', () => {
    expect(document.components?.securitySchemes).toMatchObject({
      bearerAuth: { type: 'http', scheme: 'bearer' },
      sessionCookie: { type: 'apiKey', in: 'cookie', name: 'session_jwt' },
    });
  });

  it('says of what anyone may call, and of what is sent, that it takes no credential', () => {
    expect(document.paths[DOOR]?.get?.security).toEqual([]);
    expect(document.webhooks?.['door.added']?.post?.security).toEqual([]);
    expect(document.paths['/attic']?.get?.security).toEqual([{ bearerAuth: [] }]);
  });

  it('lists every parameter of a path, ids as UUIDs, although handlers receive a scope', () => {
    expect(document.paths[DOOR]?.get?.parameters).toEqual([
      { name: 'environmentId', in: 'path', required: true, schema: { $ref: '#/components/schemas/Uuid' } },
      { name: 'doorId', in: 'path', required: true, schema: { $ref: '#/components/schemas/Uuid' } },
      { name: 'colour', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 100 } },
    ]);
  });

  it('writes null the way of OpenAPI 3.1', () => {
    expect(JSON.stringify(document)).not.toContain('nullable');
    expect(document.components?.schemas?.['NewDoor']).toMatchObject({
      properties: { name: { type: ['string', 'null'], maxLength: 20 } },
    });
    expect(document.components?.schemas?.['Door']).toMatchObject({
      properties: {
        colour: { anyOf: [{ $ref: '#/components/schemas/ColourEnum' }, { type: 'null' }] },
        mainHinge: { anyOf: [{ $ref: '#/components/schemas/Hinge' }, { type: 'null' }] },
        hinges: { type: 'array', items: { $ref: '#/components/schemas/Hinge' } },
      },
      required: ['id', 'mainHinge', 'hinges'],
    });
  });

  it('describes an enumeration where it is used, and not by what one of its fields says', () => {
    const { ColourEnum, NewDoor } = document.components?.schemas ?? {};
    expect(ColourEnum).toEqual({ type: 'string', enum: ['red', 'green'] });
    expect(NewDoor).toHaveProperty('properties.lock.description', 'Of the lock.');
  });

  it('keeps the schemas that are reached, sorted, and prefers those of classes', () => {
    const schemas = document.components?.schemas ?? {};
    const names = Object.keys(schemas);
    // Also present: schemas of the service's events, if an earlier suite loaded them.
    expect(names).toEqual(
      expect.arrayContaining(['ColourEnum', 'Door', 'ErrorBody', 'EventBody', 'Hinge', 'NewDoor', 'Uuid']),
    );
    expect(names).toEqual(names.toSorted());
    expect(names).not.toContain('Unused');
    expect(schemas['Hinge']).toHaveProperty('properties.id');
  });

  it('says who may call, which errors, limits and events to expect', () => {
    expect(document.paths[DOORS]?.post?.description).toBe(
      [
        'Doors start shut.',
        '',
        '- **Caller:** an API token with the scope `environment.webhooks.write`, or a member with the role `developer` or above',
        '- **Errors:** 400, 401, 403, 404, 413, 415, 429, 500, 503 ([what the codes mean](/docs/errors))',
        '- **Limits:** 100 doors per environment; 6000 requests per minute and client address',
        '- **Events:** `door.added`',
      ].join('\n'),
    );
    expect(document.paths['/attic']?.post?.description).toContain('role `admin` or above; API tokens are refused');
    expect(document.paths['/attic']?.get?.description).toContain('an API token, whatever its scopes, or any member');
    expect(document.paths[DOOR]?.get).toMatchObject({
      'x-limits': [
        '10 requests per minute and client address',
        '100 requests per minute and client address',
        '2500 requests per minute and IPv6 /48 in an environment',
        '10000 requests per minute and environment',
      ],
    });
  });

  it('says of every operation that its limit is refused with 429, and after how long to come again', () => {
    const wait = { 'Retry-After': { required: true, schema: { type: 'integer', minimum: 1 } } };
    for (const operation of [document.paths[DOORS]?.post, document.paths[DOOR]?.get, document.paths['/attic']?.post])
      expect(operation?.responses).toMatchObject({ 429: { headers: wait, content: ERROR_BODY } });
  });

  it('says where there is a body, and nowhere else, that it may be too large or no JSON', () => {
    expect(document.paths[DOORS]?.post?.responses).toMatchObject({
      413: { content: ERROR_BODY },
      415: { content: ERROR_BODY },
    });
    const withoutBody = document.paths['/attic']?.post?.responses ?? {};
    expect(Object.keys(withoutBody)).toEqual(['204', '401', '403', '429', '500', '503']);
  });

  it('groups operations by context, those without one last', () => {
    expect(document.tags?.map(({ name }) => name)).toEqual(['Webhooks', 'Attic']);
    expect(document.tags?.[0]?.description).toMatch(/^Webhooks and events: /);
  });

  it('describes what is sent for each event', () => {
    expect(document.webhooks?.['door.added']?.post?.summary).toBe('A door was added.');
    const schemaOf = (event: string) => JSON.stringify(document.webhooks?.[event]?.post?.requestBody);
    expect(schemaOf('door.added')).toContain('"data":{"allOf":[{"$ref":"#/components/schemas/Door"}');
    expect(schemaOf('door.added')).toContain('"required":["organizationId"]');
    expect(schemaOf('door.swung')).toContain('"data":{"$ref":"#/components/schemas/Hinge"}');
    expect(document.webhooks?.['door.added']?.post?.description).toContain('console environment');
    expect(document.webhooks?.['door.swung']?.post?.description).toContain('Not sent to webhooks');
  });

  it('does not come into being with a reference that leads nowhere', () => {
    const broken = structuredClone(document);
    expect(() => reachableSchemas(broken, {})).toThrow(/refers to #\/components\/schemas\/\w+, which is not a schema/);
  });
});
