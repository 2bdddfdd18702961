import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { clientOf, typeOf } from '../scripts/client-types.js';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The consumer that the page shows. */
const consumer = (): string => read('test/types/client-consumer.ts.txt');

interface Sent {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}
type Call = (name: string, request?: object) => Promise<unknown>;

describe('the typed client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-client-'));
  const text = clientOf(JSON.parse(read('openapi.json')) as object);
  writeFileSync(join(folder, 'gatehouse-client.ts'), text);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What the compiler says, in the strictest way it can be asked. */
  const compile = (files: Record<string, string>): string[] => {
    const names = Object.entries(files).map(([name, source]) => {
      writeFileSync(join(folder, name), source);
      return join(folder, name);
    });
    const program = ts.createProgram(names, {
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noImplicitOverride: true,
      noUnusedLocals: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
    });
    return ts
      .getPreEmitDiagnostics(program)
      .map(
        ({ messageText, file }) =>
          `${file?.fileName.slice(folder.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      );
  };

  it('compiles, with the consumer of its page, and refuses what the document does not have', () => {
    const good = consumer();
    const planted = {
      'unknown.ts': good.replace("'createUser'", "'createUsers'"),
      'missing.ts': good.replace('path: { environmentId },', ''),
      'misspelt.ts': good.replace('firstName', 'firstname'),
      'answer.ts': good.replace('const { user }', 'const { person: user }'),
    };
    for (const source of Object.values(planted)) expect(source).not.toBe(good);
    const problems = compile({ 'consumer.ts': good, ...planted });
    const files = new Set(problems.map((problem) => problem.split(':', 1)[0]));
    expect([...files].sort()).toEqual(Object.keys(planted).sort());
  }, 180_000);

  it('is written by its command into the folder that is named, and says where', () => {
    const made = mkdtempSync(join(tmpdir(), 'gatehouse-client-made-'));
    try {
      const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
      const [, script] = /(scripts\/client-types\.js)/.exec(scripts['client:types']!)!;
      const target = join(made, 'deep', 'in');
      const { status, stdout, stderr } = spawnSync(process.execPath, [script!, target], {
        cwd: root,
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toBe(`${join(target, 'gatehouse-client.ts')}\n`);
      expect(readFileSync(join(target, 'gatehouse-client.ts'), 'utf8')).toBe(text);
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
  }, 60_000);

  it('has every operation of the document', () => {
    const { paths } = JSON.parse(read('openapi.json')) as {
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    const ids = Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(ids.length).toBeGreaterThan(200);
    expect(ids.filter((id) => !new RegExp(`^ {2}"?${id}"?: \\{ request`, 'm').test(text))).toEqual([]);
  });

  it.each([
    ['a list of what may be two things', { type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
    ['what may be null', { type: ['string', 'null'] }, 'string | null'],
    ['a reference with a name that is none in TypeScript', { $ref: '#/components/schemas/a.b-c' }, 'a_b_c'],
    ['a map', { type: 'object', additionalProperties: { type: 'integer' } }, 'Record<string, number>'],
    [
      'all of several',
      { allOf: [{ $ref: '#/components/schemas/A' }, { type: 'object' }] },
      'A & Record<string, unknown>',
    ],
    [
      'fields, of which one is needed',
      { type: 'object', required: ['a'], properties: { a: { type: 'string' }, 'b-c': {} } },
      '{ a: string; "b-c"?: unknown; }',
    ],
  ])('writes %s', (_, schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  describe('at work', () => {
    const sent: Sent[] = [];
    let answer: () => Response = () => new Response(null, { status: 204 });
    const client = async (): Promise<{ call: Call }> => {
      const compiled = ts.transpile(text, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext });
      writeFileSync(join(folder, 'gatehouse-client.mjs'), compiled);
      const { createClient } = (await import(join(folder, 'gatehouse-client.mjs'))) as {
        createClient: (options: object) => { call: Call };
      };
      const send = (url: string, { method, headers, body }: Omit<Sent, 'url'>) => {
        sent.push({ url, method, headers, ...(body !== undefined && { body }) });
        return Promise.resolve(answer());
      };
      return createClient({ baseUrl: 'https://auth.example.com/api/v0', token: 'a-token', fetch: send });
    };

    it('sends what it is given to the place of the operation', async () => {
      answer = () => Response.json({ user: { id: '1' } }, { status: 201 });
      const { call } = await client();
      const request = { path: { environmentId: 'a/b' }, header: { 'Idempotency-Key': 'k' }, body: { email: 'a@b.c' } };
      expect(await call('createUser', request)).toEqual({ user: { id: '1' } });
      expect(sent.pop()).toEqual({
        url: 'https://auth.example.com/api/v0/environments/a%2Fb/users',
        method: 'POST',
        headers: { authorization: 'Bearer a-token', 'Idempotency-Key': 'k', 'content-type': 'application/json' },
        body: '{"email":"a@b.c"}',
      });
    });

    it('repeats a list in the query, and names the fields of a group in brackets', async () => {
      answer = () => Response.json({ count: 0, users: [] });
      const { call } = await client();
      const filter = { filterColumn: 'email', filterValue: 'a@b.c', chain: undefined };
      await call('getEnvironmentUsers', {
        path: { environmentId: '1' },
        query: { filter, limit: 5, offset: undefined },
      });
      const path = { environmentId: '1', chainName: 'EVM' };
      await call('getAccountBalances', {
        path,
        query: { accountAddress: '0x1', whitelistedContracts: ['0x2', '0x3'] },
      });
      expect(sent.splice(-2).map(({ url }) => decodeURIComponent(url.split('?')[1]!))).toEqual([
        'filter[filterColumn]=email&filter[filterValue]=a@b.c&limit=5',
        'accountAddress=0x1&whitelistedContracts=0x2&whitelistedContracts=0x3',
      ]);
    });

    it('throws what is no success, with its code', async () => {
      answer = () => Response.json({ code: 'not_found', error: 'No such record.' }, { status: 404 });
      const { call } = await client();
      await expect(call('getUserLegacy', { path: { userId: '1' } })).rejects.toMatchObject({
        name: 'ApiFailure',
        status: 404,
        code: 'not_found',
      });
    });
  });
});
