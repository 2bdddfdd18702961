import { describe, expect, it } from '@jest/globals';
import { bodyMistakes } from './support/contract/body-mistakes.js';
import { compareOperation } from './support/contract/compare.js';
import { describeDifference, type DifferenceRule, withoutAdditions } from './support/contract/difference.js';
import { listOperations, type OpenApiDoc, readDocument } from './support/contract/openapi-document.js';
import { operationMistakes } from './support/contract/operation-mistakes.js';
import { field, inField, inOperation, inSchema, replaced, schema } from './support/contract/planting.js';
import { sampleDocument, sampleInOtherNotation } from './support/contract/sample-document.js';
import { normalisePattern } from './support/contract/schema-shape.js';

function found(document: OpenApiDoc, operationId: string): [DifferenceRule, string][] {
  return compareOperation(document, sampleDocument(), operationId).map(({ rule, at }) => [rule, at]);
}

describe('comparing two documents', () => {
  it.each(['listDoors', 'addDoor', 'getDoor', 'removeDoor'])(
    'finds no difference of a document from itself: %s',
    (id) => {
      expect(found(sampleDocument(), id)).toEqual([]);
    },
  );

  it.each(['listDoors', 'addDoor', 'getDoor', 'removeDoor'])('takes another notation for the same: %s', (id) => {
    expect(compareOperation(sampleInOtherNotation(), sampleDocument(), id)).toEqual([]);
    expect(compareOperation(sampleDocument(), sampleInOtherNotation(), id)).toEqual([]);
  });

  it('finds no difference of the contract from itself', () => {
    const contract = readDocument(new URL('./contract/openapi.json', import.meta.url));
    const operations = listOperations(contract);
    const differences = operations.flatMap(({ operationId }) => compareOperation(contract, contract, operationId));
    expect(operations).toHaveLength(333);
    expect(differences).toEqual([]);
  });

  it('writes patterns one way', () => {
    expect(normalisePattern('^[0-9]{6}$')).toBe(normalisePattern('^\\d{6}$'));
    expect(normalisePattern('^[a-z\\-\\/]+$')).toBe(normalisePattern('^[a-z-/]+$'));
    expect(normalisePattern('^[0-9]{6}$')).not.toBe(normalisePattern('^[0-9]{5}$'));
  });

  it('says in one line what differs', () => {
    const [difference] = compareOperation(withoutOperation(), sampleDocument(), 'getDoor');
    expect(difference && describeDifference(difference)).toBe(
      'operation at getDoor: the contract has the operation, the document has no such operation',
    );
  });

  it('stops at a reference that leads nowhere', () => {
    const document = sampleDocument();
    field(document, 'Door', 'state').$ref = '#/components/schemas/Absent';
    expect(() => found(document, 'getDoor')).toThrow('#/components/schemas/Absent points nowhere');
  });
});

function withoutOperation(): OpenApiDoc {
  const document = sampleDocument();
  delete document.paths['/houses/{houseId}/doors/{doorId}'];
  return document;
}

describe('a planted mistake is found', () => {
  it.each([...operationMistakes, ...bodyMistakes])('%s', (_name, operationId, plant, rule, at) => {
    const document = sampleDocument();
    plant(document);
    expect(found(document, operationId)).toContainEqual([rule, at]);
  });
});

type Freedom = [name: string, operationId: string, plant: (document: OpenApiDoc) => void];

const freedoms: Freedom[] = [
  ['an error body with more fields', 'getDoor', replaced('Problem', 'requestId', { type: 'string' })],
  ['an error field that is always sent', 'getDoor', inSchema('Problem', (s) => (s.required = ['error', 'code']))],
  [
    'a universal fault',
    'removeDoor',
    inOperation('removeDoor', (o) => Object.assign(o.responses ?? {}, { '429': {} })),
  ],
  [
    'a stricter pattern where the contract publishes one',
    'addDoor',
    inField('DoorRequest', 'address', { pattern: '^[a-z]{3,9}$' }),
  ],
  [
    'a shorter limit where the contract publishes a pattern',
    'addDoor',
    inField('DoorRequest', 'address', { maxLength: 9 }),
  ],
  [
    'named fields in a free-form response',
    'getDoor',
    inField('Door', 'notes', { properties: { by: { type: 'string' } } }),
  ],
  ['a limit named only in a response', 'getDoor', inField('Door', 'colour', { maxLength: 10 })],
];

describe('what clients cannot notice is no difference', () => {
  it.each(freedoms)('%s', (_name, operationId, plant) => {
    const document = sampleDocument();
    plant(document);
    expect(found(document, operationId)).toEqual([]);
  });
});

describe('named additions', () => {
  it('allow an extra field by its component, wherever the component is used', () => {
    const document = sampleDocument();
    replaced('Door', 'weight', { type: 'number' })(document);
    const differences = ['getDoor', 'listDoors'].flatMap((id) => compareOperation(document, sampleDocument(), id));
    const { remaining, used } = withoutAdditions(differences, {
      'Door.weight': 'for the carpenter',
      'Door.age': 'unused',
    });
    expect(differences).toHaveLength(2);
    expect(remaining).toEqual([]);
    expect([...used]).toEqual(['Door.weight']);
  });

  it('never allow what a client must send or would miss', () => {
    const document = sampleDocument();
    replaced('DoorRequest', 'weight', { type: 'number' })(document);
    schema(document, 'DoorRequest').required = ['state', 'weight'];
    delete schema(document, 'DoorRequest').properties?.colour;
    const differences = compareOperation(document, sampleDocument(), 'addDoor');
    const { remaining } = withoutAdditions(differences, { 'DoorRequest.weight': 'x', 'DoorRequest.colour': 'x' });
    expect(remaining.map(({ at }) => at)).toEqual(['request body.colour', 'request body.weight']);
  });
});
