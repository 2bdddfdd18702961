import { describe, expect, it } from '@jest/globals';
import type { OpenApiDoc } from './support/contract/openapi-document.js';
import { createResponseValidator, type ObservedResponse } from './support/contract/response-validator.js';
import { sampleDocument, sampleInOtherNotation } from './support/contract/sample-document.js';

const json = 'application/json; charset=utf-8';
const house = '/api/v0/houses/0197c0de-0000-7000-8000-000000000001/doors';
const door = {
  id: '0197c0de-0000-7000-8000-000000000002',
  state: 'open',
  colour: null,
  lock: { cut: '2026-01-01T00:00:00Z', copies: [{ cut: '2026-01-02T00:00:00Z' }] },
  labels: { en: 'front' },
  notes: { by: { anyone: true } },
};

function validate(response: Partial<ObservedResponse>, document: OpenApiDoc = sampleDocument()): string[] {
  const observed = { method: 'GET', path: `${house}/1`, status: 200, contentType: json, body: door, ...response };
  return createResponseValidator(document).validate(observed);
}

describe.each([
  ['as the contract is written', sampleDocument],
  ['in the notation of OpenAPI 3.0', sampleInOtherNotation],
])('validating a response against a document %s', (_name, document) => {
  it('accepts what is documented', () => {
    expect(validate({}, document())).toEqual([]);
    expect(validate({ body: { ...door, lock: null, colour: 'red' } }, document())).toEqual([]);
    expect(validate({ path: house, body: [door, door] }, document())).toEqual([]);
  });

  it.each([
    ['an undeclared field', { ...door, weight: 3 }, 'body must NOT have unevaluated properties (weight)'],
    [
      'an undeclared field inside a nullable reference',
      { ...door, lock: { ...door.lock, secret: 'x' } },
      '/lock must NOT have unevaluated properties (secret)',
    ],
    ['a missing field', { id: door.id }, "body must have required property 'state'"],
    ['a wrong type', { ...door, colour: 3 }, '/colour must be string'],
    ['a value outside the enum', { ...door, state: 'ajar' }, '/state must be equal to one of the allowed values'],
    ['a text that is no instant', { ...door, lock: { cut: 'today' } }, '/lock/cut must match format "date-time"'],
    ['a map value of another type', { ...door, labels: { en: 1 } }, '/labels/en must be string'],
    ['another kind of body', [door], 'body must be object'],
  ])('refuses %s', (_mistake, body, problem) => {
    const problems = validate({ body }, document());
    expect(problems).toContainEqual(expect.stringContaining(`getDoor 200: ${problem}`));
  });
});

describe('validating a response', () => {
  it('refuses an undeclared field at depth, in lists and recursive schemas', () => {
    const copies = [{ cut: '2026-01-02T00:00:00Z', copies: [{ cut: '2026-01-03T00:00:00Z', bitting: 4 }] }];
    expect(validate({ path: house, body: [{ ...door, lock: { ...door.lock, copies } }] })).toContainEqual(
      'listDoors 200: /0/lock/copies/0/copies/0 must NOT have unevaluated properties (bitting)',
    );
  });

  it('accepts all fields of composed schemas and no others', () => {
    const document = sampleDocument();
    const schemas = document.components?.schemas ?? {};
    const own = { type: 'object', properties: { glass: { type: 'string' } } };
    schemas.GlassDoor = { allOf: [{ $ref: '#/components/schemas/Door' }, own] };
    document.paths['/glass'] = {
      get: {
        operationId: 'getGlass',
        responses: {
          '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/GlassDoor' } } } },
        },
      },
    };
    expect(validate({ path: '/glass', body: { ...door, glass: 'clear' } }, document)).toEqual([]);
    expect(validate({ path: '/glass', body: { ...door, glass: 'clear', frame: 'oak' } }, document)).toEqual([
      'getGlass 200: body must NOT have unevaluated properties (frame)',
    ]);
  });

  it('prefers the template with most literal segments', () => {
    const validator = createResponseValidator(sampleDocument());
    expect(validator.findOperation('GET', `${house}/front?x=1`)?.operationId).toBe('frontDoor');
    expect(validator.findOperation('get', `${house}/back`)?.operationId).toBe('getDoor');
    expect(validator.findOperation('GET', '/houses/{houseId}/doors/{doorId}')?.operationId).toBe('getDoor');
    expect(validator.findOperation('GET', `${house}/back/hinges`)).toBeNull();
    expect(validator.findOperation('PATCH', `${house}/back`)).toBeNull();
  });

  it('follows a referenced response', () => {
    expect(validate({ path: house, status: 401, body: { error: 'no' } })).toEqual([]);
    expect(validate({ path: house, status: 401, body: {} })).toEqual([
      "listDoors 401: body must have required property 'error'",
    ]);
  });

  it.each<[string, Partial<ObservedResponse>, string]>([
    ['an unknown path', { path: '/nowhere' }, 'GET /nowhere is not in the document'],
    ['an undocumented status', { status: 418 }, 'getDoor 418: the status is not documented'],
    [
      'no body where one is documented',
      { body: undefined },
      'getDoor 200: the documented application/json body is not sent',
    ],
    [
      'another content type',
      { contentType: 'text/html' },
      'getDoor 200: content type text/html is not documented, application/json is',
    ],
    [
      'no content type',
      { contentType: null },
      'getDoor 200: content type (none) is not documented, application/json is',
    ],
    [
      'a body where none is documented',
      { method: 'DELETE', status: 204 },
      'removeDoor 204: a body is sent where none is documented',
    ],
  ])('refuses %s', (_mistake, response, problem) => {
    expect(validate(response)).toEqual([problem]);
  });

  it('accepts an empty answer where no body is documented', () => {
    expect(validate({ method: 'DELETE', status: 204, body: '', contentType: null })).toEqual([]);
  });
});
