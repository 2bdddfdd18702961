import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { compareOperation } from './support/contract/compare.js';
import { type Additions, describeDifference, withoutAdditions } from './support/contract/difference.js';
import { listOperations, type OpenApiDoc, readDocument, serverPrefix } from './support/contract/openapi-document.js';

function readList<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`./contract/${name}`, import.meta.url), 'utf8')) as T;
}

const generated = readDocument(new URL('../openapi.json', import.meta.url));
const contract = readDocument(new URL('./contract/openapi.json', import.meta.url));
const additions = readList<Additions>('additions.json');
const beyond = readList<Record<string, string>>('beyond.json');

const offered = listOperations(generated).map(({ operationId }) => operationId);
const promised = listOperations(contract).map(({ operationId }) => operationId);

const comparedWith = (document: OpenApiDoc) =>
  promised.map((operationId) => ({
    operationId,
    ...withoutAdditions(compareOperation(document, contract, operationId), additions),
  }));
const differences = (compared: ReturnType<typeof comparedWith>): string[] =>
  compared.flatMap(({ operationId, remaining }) =>
    remaining.map((difference) => `${operationId}: ${describeDifference(difference)}`),
  );

describe('the document of this service', () => {
  const compared = comparedWith(generated);

  it('has every operation of the contract, and equals it', () => {
    expect(promised).toHaveLength(333);
    expect(differences(compared)).toEqual([]);
  });

  it('would not do without one of them', () => {
    const { method, path } = listOperations(generated).find(
      ({ operationId }) => operationId === 'getJwksByEnvironmentId',
    )!;
    const template = path.slice(serverPrefix(generated).length);
    const lacking = structuredClone(generated);
    delete lacking.paths[template]![method];
    expect(differences(comparedWith(lacking))).toEqual([
      expect.stringMatching(/^getJwksByEnvironmentId: .*no such operation$/),
    ]);
  });

  it('names every operation once', () => {
    expect(offered.filter((operationId, index) => offered.indexOf(operationId) !== index)).toEqual([]);
  });

  it('says wherever users have metadata that they can change it themselves and that it stands in their token', () => {
    const described = Object.entries(generated.components?.schemas ?? {}).flatMap(([name, { properties }]) => {
      const { metadata, alias, email } = properties ?? {};
      return metadata && (alias ?? email) ? [[name, String(metadata['description'])] as const] : [];
    });
    expect(described.map(([name]) => name)).toEqual(
      expect.arrayContaining(['BulkUserCreateItem', 'SdkUser', 'User', 'UserCreateRequest', 'UserUpdateRequest']),
    );
    const silent = described.filter(
      ([, text]) => !/END USERS CAN CHANGE IT.* in their JWT.*privateMetadata/.test(text),
    );
    expect(silent).toEqual([]);
  });

  it('has no variable in a path with the name that generated functions give to what is received', () => {
    const variables = Object.keys(generated.paths).flatMap((path) =>
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    );
    expect(variables.length).toBeGreaterThan(300);
    expect(
      variables.filter((name) => ['data', 'body', 'options', 'response', 'url', 'headers'].includes(name!)),
    ).toEqual([]);
  });

  it('says of every order what a list can be ordered by, with an example that tools send', () => {
    const orders = listOperations(generated).flatMap(({ operationId, parameters }) =>
      parameters.filter(({ name }) => name === 'orderBy').map((order) => ({ operationId, ...order })),
    );
    expect(orders.length).toBeGreaterThanOrEqual(3);
    const silent = orders.filter(({ description = '', schema }) => {
      const [column = '-', direction] = String(schema?.['example']).split('-');
      return !description.includes(column) || !['asc', 'desc'].includes(direction ?? '');
    });
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('has no alternatives that say nothing, for which generators of clients write no type', () => {
    const empty: string[] = [];
    const visit = (node: unknown, where: string): void => {
      if (node === null || typeof node !== 'object') return;
      for (const [key, value] of Object.entries(node)) {
        const isEmpty = (key === 'anyOf' || key === 'oneOf') && Array.isArray(value) && value.length < 2;
        if (isEmpty) empty.push(`${where}/${key}`);
        else visit(value, `${where}/${key}`);
      }
    };
    visit(generated.paths, 'paths');
    visit(generated.components, 'components');
    expect(empty).toEqual([]);
    expect(generated.components?.schemas?.['WaasPolicyArgumentConstraint']?.properties?.['value']).not.toHaveProperty(
      'type',
    );
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
