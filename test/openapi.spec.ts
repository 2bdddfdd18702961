import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { compareOperation } from './support/contract/compare.js';
import { type Additions, describeDifference, withoutAdditions } from './support/contract/difference.js';
import { listOperations, readDocument } from './support/contract/openapi-document.js';

function readList<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`./contract/${name}`, import.meta.url), 'utf8')) as T;
}

const generated = readDocument(new URL('../openapi.json', import.meta.url));
const contract = readDocument(new URL('./contract/openapi.json', import.meta.url));
const notImplemented = readList<{ most: number; operations: string[] }>('not-implemented.json');
const additions = readList<Additions>('additions.json');
const beyond = readList<Record<string, string>>('beyond.json');

const offered = listOperations(generated).map(({ operationId }) => operationId);
const promised = listOperations(contract).map(({ operationId }) => operationId);
const implemented = promised.filter((operationId) => offered.includes(operationId));

describe('the document of this service', () => {
  const compared = implemented.map((operationId) => ({
    operationId,
    ...withoutAdditions(compareOperation(generated, contract, operationId), additions),
  }));

  it('equals the contract for every implemented operation', () => {
    const lines = compared.flatMap(({ operationId, remaining }) =>
      remaining.map((difference) => `${operationId}: ${describeDifference(difference)}`),
    );
    expect(lines).toEqual([]);
  });

  it('names every operation once', () => {
    expect(offered.filter((operationId, index) => offered.indexOf(operationId) !== index)).toEqual([]);
  });

  it('has a reason for every addition, and needs it', () => {
    const used = new Set(compared.flatMap((result) => [...result.used]));
    expect(Object.keys(additions).filter((name) => !used.has(name))).toEqual([]);
    expect(Object.values(additions).filter((reason) => reason.trim() === '')).toEqual([]);
  });

  it('has a reason for every operation beyond the contract', () => {
    const extra = offered.filter((operationId) => !promised.includes(operationId));
    expect({
      'remove from beyond.json': Object.keys(beyond).filter((operationId) => !extra.includes(operationId)),
      'add to beyond.json, with a reason': extra.filter((operationId) => !(operationId in beyond)),
    }).toEqual({ 'remove from beyond.json': [], 'add to beyond.json, with a reason': [] });
    expect(Object.values(beyond).filter((reason) => reason.trim() === '')).toEqual([]);
  });
});

describe('the list of operations not implemented yet', () => {
  it('is the contract without what is implemented', () => {
    const lacking = promised.filter((operationId) => !offered.includes(operationId)).sort();
    const listed = notImplemented.operations;
    expect({
      'remove from not-implemented.json': listed.filter((operationId) => !lacking.includes(operationId)),
      'add to not-implemented.json': lacking.filter((operationId) => !listed.includes(operationId)),
    }).toEqual({ 'remove from not-implemented.json': [], 'add to not-implemented.json': [] });
  });

  it('is sorted, without repeats', () => {
    expect(notImplemented.operations).toEqual([...new Set(notImplemented.operations)].sort());
  });

  it('only shrinks: "most" is lowered with the list and never raised', () => {
    expect(notImplemented.most).toBe(notImplemented.operations.length);
    expect(notImplemented.most).toBeLessThanOrEqual(promised.length);
  });
});
