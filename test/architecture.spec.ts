import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { COMMON_FOR_ONE, HIDDEN_CONTEXT, MOST_SYSTEM_STATEMENTS } from './support/architecture/exceptions.js';
import {
  MAX_LINES,
  findBareProperties,
  findDefaultExports,
  findLongFiles,
  findUnexplainedDisables,
} from './support/architecture/file-shape.js';
import { findLetOut } from './support/architecture/doors.js';
import { findHandedText } from './support/architecture/handed-text.js';
import { findHiddenContext } from './support/architecture/hidden-context.js';
import { findIdentityViolations } from './support/architecture/identity-order.js';
import { findCycles } from './support/architecture/import-cycles.js';
import { findDeepImports, findOrderViolations } from './support/architecture/import-order.js';
import { findUnshared } from './support/architecture/shared-files.js';
import { readSources, virtual } from './support/architecture/source-file.js';
import {
  countSystemStatements,
  findRepeatedReasons,
  findUnexplainedSystemCalls,
  findUnscopedSql,
} from './support/architecture/statements.js';
import { findTablesAbove } from './support/architecture/tables-above.js';

const root = join(import.meta.dirname, '..');
const src = readSources(root, 'src');
const outside = ['examples', 'extensions', 'migrations'].flatMap((folder) => readSources(root, folder));
const all = [...src, ...outside, ...readSources(root, 'test')];

describe('imports', () => {
  it('go one way: down the tiers, never to a neighbour, never out of src', () => {
    const planted = virtual({
      'src/auth/a.ts': "import type { User } from '../identity/index.js';",
      'src/wallets/a.ts': "import { gate } from '../access-control/index.js';",
      'src/vault/a.ts': "const load = () => import('../queue/index.js');",
      'src/common/a.ts': "export { Config } from '../config/index.js';",
      'src/billing/a.ts': "import { create } from '../app.module.js';",
      'src/billing/b.ts': "import { app } from '../../test/support/app.js';",
      'src/helpers/a.ts': '',
    });
    expect(findOrderViolations(planted)).toEqual([
      'src/helpers: has no tier',
      'src/auth/a.ts -> src/identity/index.ts: auth must not know identity',
      'src/wallets/a.ts -> src/access-control/index.ts: wallets must not know access-control',
      'src/vault/a.ts -> src/queue/index.ts: vault must not know queue',
      'src/common/a.ts -> src/config/index.ts: common must not know config',
      'src/billing/a.ts -> src/app.module.ts: imports the composition root',
      'src/billing/b.ts -> test/support/app.ts: leaves src',
    ]);
    const fine = virtual({
      'src/identity/a.ts': "import { x } from '../environments/index.js'; import './b.js';",
      'src/app.module.ts': "import { B } from './billing/index.js';",
      'src/cli/a.ts': "import { create } from '../app.module.js';",
      'src/auth/a.spec.ts': "import { app } from '../../test/support/app.js';",
    });
    expect(findOrderViolations(fine)).toEqual([]);
    expect(findOrderViolations(src)).toEqual([]);
  });

  it('inside identity go one way: from methods down to the vocabulary, no method knows another', () => {
    const planted = virtual({
      'src/identity/credentials/a.ts': "import { invalidEmail } from '../users/user.errors.js';",
      'src/identity/sessions/a.ts': "import { VerifyResponse } from '../flows/sign-in.dto.js';",
      'src/identity/flows/a.ts': "import type { EmailChannel } from '../methods/email-code/email.channel.js';",
      'src/identity/methods/sms/a.ts': "import { EmailChannel } from '../email-code/email.channel.js';",
      'src/identity/users/a.ts': "import { IdentityModule } from '../identity.module.js';",
      'src/identity/helpers/a.ts': '',
    });
    expect(findIdentityViolations(planted)).toEqual([
      'src/identity/helpers: has no place',
      'src/identity/credentials/a.ts -> src/identity/users/user.errors.ts: credentials must not know users',
      'src/identity/sessions/a.ts -> src/identity/flows/sign-in.dto.ts: sessions must not know flows',
      'src/identity/flows/a.ts -> src/identity/methods/email-code/email.channel.ts: flows must not know methods/email-code',
      'src/identity/methods/sms/a.ts -> src/identity/methods/email-code/email.channel.ts: methods/sms must not know methods/email-code',
      'src/identity/users/a.ts -> src/identity/identity.module.ts: imports the index of its own context',
    ]);
    const fine = virtual({
      'src/identity/index.ts': "export { IdentityModule } from './identity.module.js';",
      'src/identity/identity.module.ts': "import { SmsModule } from './methods/sms/sms.module.js';",
      'src/identity/methods/sms/a.ts': "import './b.js'; import { SignInFlow } from '../../flows/sign-in.flow.js';",
    });
    expect(findIdentityViolations(fine)).toEqual([]);
    expect(findIdentityViolations(src)).toEqual([]);
  });

  it('cross into another context through its index.ts', () => {
    const planted = virtual({
      'src/identity/a.ts': "import { Environment } from '../environments/environment.entity.js';",
      'src/identity/flows/b.ts': "import type { Config } from '../../config/config.js';",
      'src/app.module.ts': "import { B } from './billing/billing.module.js';",
      'extensions/acme/a.ts': "import { B } from '../../src/billing/billing.module.js';",
    });
    expect(findDeepImports(planted)).toEqual([
      'src/identity/a.ts -> src/environments/environment.entity.ts',
      'src/identity/flows/b.ts -> src/config/config.ts',
      'src/app.module.ts -> src/billing/billing.module.ts',
      'extensions/acme/a.ts -> src/billing/billing.module.ts',
    ]);
    const fine = virtual({
      'src/identity/flows/a.ts': "import '../user.js'; import '../../config/index.js'; import '../../common/ids.js';",
    });
    expect(findDeepImports(fine)).toEqual([]);
    expect(findDeepImports([...src, ...outside])).toEqual([]);
  });

  it('find ports behind the doors of contexts, and no entity, repository or controller', () => {
    const planted = virtual({
      'src/wallets/index.ts': [
        "export { WalletsRepository, type Row } from './wallets.repository.js';",
        "export * from './wallet.entity.js';",
        "export type { Other } from './others.entities.js';",
        "export { Wallets } from './wallets.service.js';",
      ].join('\n'),
      'src/wallets/record/index.ts': "export { WalletsRepository } from './wallets.repository.js';",
      'src/database/index.ts': "export { Row } from './row.entity.js';",
    });
    expect(findLetOut(planted)).toEqual([
      'src/wallets/index.ts: WalletsRepository',
      'src/wallets/index.ts: all of ./wallet.entity.js',
    ]);
    expect(findLetOut(src)).toEqual([]);
  });

  it('have no cycles', () => {
    const planted = virtual({
      'src/a/one.ts': "import { two } from './two.js';",
      'src/a/two.ts': "export * from './three.js';",
      'src/a/three.ts': "import { type One } from './one.js';",
      'src/a/self.ts': "import './self.js';",
      'src/a/types.ts': "import { one } from './one.js';",
      'src/b/one.ts': "import type { Two } from './two.js';",
      'src/b/two.ts': "import { one } from './one.js';",
    });
    expect(findCycles(planted)).toEqual([
      'src/a/one.ts <-> src/a/three.ts <-> src/a/two.ts',
      'src/a/self.ts',
      'src/b/one.ts <-> src/b/two.ts',
    ]);
    const fine = virtual({
      'test/a/one.ts': "import type { Two } from './two.js';",
      'test/a/two.ts': "import { one } from './one.js';",
    });
    expect(findCycles(fine)).toEqual([]);
    expect(findCycles(all)).toEqual([]);
  });

  it('of a file in common come from two contexts at least, or the file moves to the one that uses it', () => {
    const planted = virtual({
      'src/common/lonely.ts': '',
      'src/common/pair.ts': "import './below-pair.js';",
      'src/common/below-pair.ts': '',
      'src/common/tested.ts': '',
      'src/auth/a.ts': "import '../common/pair.js'; import '../common/lonely.js'; import '../common/tested.js';",
      'src/vault/a.ts': "import '../common/pair.js';",
      'src/vault/a.spec.ts': "import '../common/tested.js';",
    });
    expect(findUnshared(planted, {})).toEqual([
      'src/common/lonely.ts: used by auth',
      'src/common/tested.ts: used by auth',
    ]);
    expect(findUnshared(planted, { 'src/common/lonely.ts': 'why', 'src/common/te': 'why' })).toEqual([]);
    expect(findUnshared(src, COMMON_FOR_ONE)).toEqual([]);
  });
});

describe('files', () => {
  it(`of src have at most ${MAX_LINES} lines`, () => {
    const lines = (count: number): string => 'x;\n'.repeat(count);
    const planted = virtual({ 'src/a.ts': lines(MAX_LINES + 1), 'src/b.ts': lines(MAX_LINES) });
    expect(findLongFiles(planted)).toEqual([`src/a.ts: ${MAX_LINES + 1} lines`]);
    expect(findLongFiles(src)).toEqual([]);
  });

  it('of src export names, never a default', () => {
    const planted = virtual({
      'src/a.ts': 'const a = 1;\nexport default a;',
      'src/b.ts': 'export default class B {}',
      'src/c.ts': 'export const fallback = 1;',
    });
    expect(findDefaultExports(planted)).toEqual(['src/a.ts:2', 'src/b.ts:1']);
    expect(findDefaultExports(src)).toEqual([]);
  });

  it('say why where they switch a check off, and name the check', () => {
    const off = ['eslint', 'disable'].join('-');
    const planted = virtual({
      'a.ts': `/* ${off} */\nx;\n// ${off}-next-line no-console\ny; // ${off}-line no-console -- because`,
      'b.ts': ['//', '@ts', 'ignore it is fine'].join(' ').replace('@ts ', '@ts-'),
      'c.ts': `// ${off}-next-line no-console, @scope/some-rule -- the program prints its result`,
    });
    expect(findUnexplainedDisables(planted)).toEqual([
      `a.ts:1 ${off}`,
      `a.ts:3 ${off}-next-line`,
      `a.ts:4 ${off}-line`,
      'b.ts:1 @ts-ignore',
    ]);
    expect(findUnexplainedDisables(all)).toEqual([]);
  });

  it('of requests and resources decorate every property', () => {
    const planted = virtual({
      'src/a/a.dto.ts': 'class A {\n  @StringField() name!: string;\n  bare?: string;\n  static readonly limit = 1;\n}',
      'src/a/a.service.ts': 'class A {\n  bare?: string;\n}',
    });
    expect(findBareProperties(planted)).toEqual(['src/a/a.dto.ts:3 bare']);
    expect(findBareProperties(src)).toEqual([]);
  });
});

describe('what a call works with', () => {
  it('is handed to it, but for what is named with its reason', () => {
    const planted = virtual({
      'src/a/a.ts': "import { AsyncLocalStorage } from 'node:async_hooks';",
      'src/a/b.ts': '@Injectable({ scope: Scope.REQUEST }) class B {}',
      'src/a/c.ts': 'class C {}',
    });
    expect(findHiddenContext(planted, {})).toEqual(['src/a/a.ts', 'src/a/b.ts']);
    expect(findHiddenContext(planted, { 'src/a/a.ts': 'why' })).toEqual(['src/a/b.ts']);
    expect(findHiddenContext(src, HIDDEN_CONTEXT)).toEqual([]);
  });
});

describe('statements', () => {
  it('are made where their text is: no context hands another any', () => {
    const planted = virtual({
      'src/identity/index.ts': "export { KNOWN, Facets, type Facet, add } from './facets.js';",
      'src/identity/facets.ts': [
        'export interface Facet { select: string }',
        "export const KNOWN = 'u.id = credentials.user_id AND u.email IS NOT NULL';",
        'export class Facets { register(facet: Facet): void {} }',
        'export const add = (facet: Facet): void => {};',
      ].join('\n'),
      'src/wallets/json.ts': [
        "const OWN = 'w.user_id = u.id';",
        'export const LIST = `(SELECT count(*) FROM wallets w WHERE ${OWN})`;',
        'export const made = (alias: string): string => `SELECT id FROM ${alias}`;',
      ].join('\n'),
      'src/wallets/a.facet.ts': [
        "import { Facets, type Facet } from '../identity/index.js';",
        "import { LIST } from './json.js';",
        'class Wallets implements Facet { readonly select = LIST; }',
        'class Counted implements Facet { get select(): string { return LIST; } }',
        'const typed: Facet = { select: LIST };',
        'class Adding {',
        '  constructor(private readonly facets: Facets) {}',
        '  start(): void {',
        '    const select = LIST;',
        '    this.facets.register({ select });',
        '  }',
        '}',
      ].join('\n'),
      'src/wallets/b.ts': [
        "import { add } from '../identity/index.js';",
        "import { made } from './json.js';",
        "add({ select: made('wallets') });",
      ].join('\n'),
      'src/wallets/c.ts': [
        "import { Outbox } from '../database/index.js';",
        "export const tell = (outbox: Outbox): void => outbox.expandWith({ statement: 'r.id = $1' });",
      ].join('\n'),
    });
    expect(findHandedText(planted)).toEqual([
      'src/identity/index.ts: KNOWN',
      'src/wallets/a.facet.ts:3',
      'src/wallets/a.facet.ts:4',
      'src/wallets/a.facet.ts:5',
      'src/wallets/a.facet.ts:10',
      'src/wallets/b.ts:3',
      'src/wallets/c.ts:2',
    ]);
    const fine = virtual({
      'src/database/index.ts': "export { NEW_ID, scopedStatement, Database } from './made.js';",
      'src/database/made.ts': "export const NEW_ID = '(SELECT gen_random_uuid())'; export class Database {}",
      'src/wallets/index.ts': "export { Wallets } from './wallets.repository.js';",
      'src/wallets/wallets.repository.ts': [
        "import { Database, NEW_ID, scopedStatement, statementFamily } from '../database/index.js';",
        "const OWN = 'w.environment_id = $1';",
        'const COUNT = scopedStatement("wallets.count", `SELECT count(*) FROM wallets w WHERE ${OWN}`);',
        'const FIND = statementFamily("wallets.find", (name, text) => scopedStatement(name, `SELECT ${text} WHERE ${OWN}`));',
        'export class Wallets {',
        '  constructor(private readonly database: Database) {}',
        '  count(): unknown { return this.database.rows(COUNT, []); }',
        '  find(): unknown { return this.database.rows(FIND(NEW_ID), []); }',
        '}',
      ].join('\n'),
    });
    expect(findHandedText(fine)).toEqual([]);
    expect(findHandedText(src)).toEqual([]);
  });

  it('name tables of their own context, of those below and of tenants', () => {
    const planted = virtual({
      'src/waas/copy.entity.ts': "@Entity('copies') class Copy {}",
      'src/identity/user.entity.ts': "@Entity('users') class User {}",
      'src/organizations/member.entity.ts': "@Entity('members') class Member {}",
      'src/wallets/a.ts': 'const a = `SELECT (SELECT count(*) FROM copies c) FROM users JOIN members ON true`;',
      'src/funding/a.ts': "const a = 'DELETE FROM wallets';",
      'src/wallets/wallet.entity.ts': "@Entity('wallets') class Wallet {}",
      'src/auth/a.ts': '// Whoever is FROM users has no seat here.\nconst a = "SELECT 1 FROM members";',
    });
    expect(findTablesAbove(planted)).toEqual([
      'src/wallets/a.ts -> copies of waas',
      'src/funding/a.ts -> wallets of wallets',
    ]);
    expect(findTablesAbove(src)).toEqual([]);
  });

  it('outside of database are scoped or say why they are not', () => {
    const planted = virtual({
      'src/a/a.repository.ts': "database.rows({ name: 'a', text: `SELECT * FROM wallets WHERE id = ${column}` }, []);",
      'src/a/b.ts': "const sql = 'DELETE FROM wallets';",
      'src/a/c.ts': "asSystem('a reason that is long').other('UPDATE wallets SET a = 1');",
      'src/database/d.ts': "query('SELECT 1');",
    });
    expect(findUnscopedSql(planted)).toEqual(['src/a/a.repository.ts:1', 'src/a/b.ts:1', 'src/a/c.ts:1']);
    const fine = virtual({
      'src/a/a.repository.ts': [
        "const A = scopedStatement('a', `SELECT 1 FROM a WHERE environment_id = $1`);",
        "const B = asSystem('finds the owner of a token').statement('b', 'SELECT 1 FROM b');",
        "const summary = 'Update the wallet';",
      ].join('\n'),
    });
    expect(findUnscopedSql(fine)).toEqual([]);
    expect(findUnscopedSql(src)).toEqual([]);
  });

  it('across tenants carry a reason of ten characters, written where they are made', () => {
    const planted = virtual({
      'src/a/a.ts': "asSystem('short').statement('a', 'SELECT 1');\nasSystem(reason);\nasSystem();",
      'src/a/b.ts': "asSystem('ten chars!').statement('b', 'SELECT 1');",
    });
    expect(findUnexplainedSystemCalls(planted)).toEqual(['src/a/a.ts:1', 'src/a/a.ts:2', 'src/a/a.ts:3']);
    expect(findUnexplainedSystemCalls(src)).toEqual([]);
  });

  it('across tenants are few, each for a reason of its own', () => {
    const planted = virtual({
      'src/a/a.ts': "asSystem('finds a tenant').statement('a.find', 'SELECT 1');",
      'src/a/b.ts':
        "asSystem('finds a tenant').statement('b.find', 'SELECT 1');\nasSystem('ten chars!').statement('b.list', 'SELECT 1');",
    });
    expect(findRepeatedReasons(planted)).toEqual(['src/a/b.ts:1 finds a tenant']);
    expect(countSystemStatements(planted)).toBe(3);
    expect(findRepeatedReasons(src)).toEqual([]);
    expect(countSystemStatements(src)).toBeLessThanOrEqual(MOST_SYSTEM_STATEMENTS);
  });
});
