import type { JsonSchema, OpenApiDoc } from './openapi-document.js';

const schemas: Record<string, JsonSchema> = {
  Uuid: { type: 'string', format: 'uuid', minLength: 36, maxLength: 36 },
  DoorState: { type: 'string', enum: ['open', 'shut'] },
  Key: {
    type: 'object',
    properties: {
      cut: { type: 'string', format: 'date-time' },
      copies: { type: 'array', items: { $ref: '#/components/schemas/Key' } },
    },
    required: ['cut'],
  },
  Door: {
    type: 'object',
    properties: {
      id: { $ref: '#/components/schemas/Uuid' },
      state: { $ref: '#/components/schemas/DoorState' },
      colour: { type: ['string', 'null'], maxLength: 20 },
      lock: { anyOf: [{ $ref: '#/components/schemas/Key' }, { type: 'null' }] },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      notes: { type: 'object' },
    },
    required: ['id', 'state'],
  },
  DoorRequest: {
    type: 'object',
    properties: {
      state: { $ref: '#/components/schemas/DoorState' },
      colour: { type: 'string', minLength: 1, maxLength: 20, pattern: '^[0-9a-z]+$' },
      panes: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 9 }, minItems: 1, maxItems: 4 },
      address: { type: 'string', maxLength: 100, 'x-published-pattern': '^[a-z]{3,9}$' },
      opener: {
        anyOf: [{ type: 'string' }, { type: 'object', properties: { raw: { type: 'string' } }, required: ['raw'] }],
      },
    },
    required: ['state'],
  },
  Problem: { type: 'object', properties: { error: { type: 'string' }, code: { type: 'string' } }, required: ['error'] },
};

const problem = {
  description: 'Refused',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
};
const door = { description: 'OK', content: { 'application/json': { schema: { $ref: '#/components/schemas/Door' } } } };
const houseId = { name: 'houseId', in: 'path', required: true, schema: { $ref: '#/components/schemas/Uuid' } };

const sample: OpenApiDoc = {
  openapi: '3.1.0',
  servers: [{ url: '{base_url}/api/v0' }],
  paths: {
    '/houses/{houseId}/doors': {
      get: {
        operationId: 'listDoors',
        parameters: [
          houseId,
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
          {
            name: 'filter',
            in: 'query',
            style: 'deepObject',
            schema: { type: 'object', properties: { state: { type: 'string' } } },
          },
          { name: 'x-door-token', in: 'header', required: true, schema: { type: 'string' } },
        ],
        responses: {
          '200': {
            description: 'OK',
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Door' } } },
            },
          },
          '302': { description: 'Elsewhere', headers: { Location: { schema: { type: 'string' } } } },
          '401': { $ref: '#/components/responses/Refused' },
        },
        'x-audience': 'dashboard',
        'x-token-scope': 'environment.settings.read',
      },
      post: {
        operationId: 'addDoor',
        parameters: [houseId],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/DoorRequest' } } },
        },
        responses: { '201': door, '422': problem },
        deprecated: true,
        'x-audience': 'dashboard',
        'x-token-scope': 'environment.settings.write',
      },
    },
    '/houses/{houseId}/doors/front': { get: { operationId: 'frontDoor', responses: { '200': door } } },
    '/houses/{houseId}/doors/{doorId}': {
      get: { operationId: 'getDoor', responses: { '200': door, '404': problem } },
      delete: { operationId: 'removeDoor', responses: { '204': { description: 'Gone' } } },
    },
  },
  components: { schemas, responses: { Refused: problem } },
};

/** A fresh copy of a small document that uses every notation supported by the comparison. */
export function sampleDocument(): OpenApiDoc {
  return structuredClone(sample);
}

/** The same document in the notation of OpenAPI 3.0: inline, `nullable`, `allOf` of one, other orders and prefixes. */
export function sampleInOtherNotation(): OpenApiDoc {
  const doc = sampleDocument();
  doc.openapi = '3.0.3';
  doc.servers = [{ url: '/' }];
  doc.paths = Object.fromEntries(Object.entries(doc.paths).map(([path, item]) => [`/api/v0${path}`, item]));
  doc.components = {
    schemas: {
      ...doc.components?.schemas,
      Lock: schemas.Key ?? {},
      Uuid: { type: 'string', format: 'uuid' },
      Door: {
        type: 'object',
        required: ['state', 'id'],
        properties: {
          notes: { type: 'object', additionalProperties: true },
          labels: { additionalProperties: { type: 'string' }, type: 'object' },
          lock: { nullable: true, allOf: [{ $ref: '#/components/schemas/Lock' }] },
          colour: { type: 'string', nullable: true, maxLength: 20, description: 'The paint' },
          state: { type: 'string', enum: ['shut', 'open'] },
          id: { allOf: [{ $ref: '#/components/schemas/Uuid' }] },
        },
      },
      DoorRequest: {
        allOf: [
          { type: 'object', properties: { state: { enum: ['shut', 'open'] } }, required: ['state'] },
          {
            type: 'object',
            properties: {
              ...schemas.DoorRequest?.properties,
              colour: { type: 'string', minLength: 1, maxLength: 20, pattern: '^[\\da-z]+$' },
            },
          },
        ],
      },
    },
    responses: doc.components?.responses ?? {},
  };
  return doc;
}
