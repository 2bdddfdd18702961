import { describe, expect, it } from '@jest/globals';
import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Column, Entity, getMetadataArgsStorage, PrimaryColumn } from 'typeorm';
import { Caller, Dashboard, Page, Public, ScopedBy } from '../src/auth/index.js';
import { ListField, RefField, StringField } from '../src/common/fields/index.js';
import { ApiController, Operation, ReturnsNothing } from '../src/common/http/operation.js';
import {
  EnvironmentEntity,
  OrganizationEntity,
  asSystem,
  deploymentStatement,
  scopedRowsStatement,
  scopedStatement,
  tenantStatement,
} from '../src/database/index.js';
import { DEPLOYMENT_TABLES, statementNames } from '../src/database/statement.js';
import { CallWork, type Work } from '../src/idempotency/index.js';
import type { OpenApiDocument } from '../src/openapi/document-types.js';
import { findUnscopedEntities } from './support/architecture/entities.js';
import { OPERATIONS_WITHOUT_OWNER, PAGE_CONTROLLERS, UNSCOPED_ENTITIES } from './support/architecture/exceptions.js';
import {
  findMisplaced,
  findRepeatedErrors,
  findRepeatedOperations,
  findUndeclared,
  findWithoutAccess,
  findWithoutOwner,
  findWithoutWork,
  handlersOf,
  isController,
} from './support/architecture/handlers.js';
import { loadClasses } from './support/architecture/load-modules.js';
import { findUnvalidated } from './support/architecture/request-classes.js';
import { readSources } from './support/architecture/source-file.js';
import { findMisnamedStatements } from './support/architecture/statements.js';
import { STATEMENTS_OF_EXAMPLES, STATEMENTS_OF_SUITES } from './support/names-of-suites.js';

const root = join(import.meta.dirname, '..');
const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as OpenApiDocument;
const sources = readSources(root, 'src');
const load = (suffix: string) =>
  loadClasses(
    root,
    sources.filter(({ path }) => path.endsWith(suffix)),
  );

const controllers = (await load('.controller.ts')).filter(isController);
const handlers = handlersOf(controllers);
const member = () => Dashboard({ scope: null, role: 'viewer' });

class Owners {
  async findOwner(): Promise<null> {
    return null;
  }
}

describe('every handler', () => {
  @ApiController('environments/:environmentId/things', 'things')
  class ThingsController {
    @Get()
    @Operation({ id: 'listThings', summary: 'List' })
    @ReturnsNothing()
    list(): void {}

    @Post()
    @Public()
    create(): void {}

    @Get(':thingId')
    @Page()
    @Operation({ id: 'listThings', summary: 'Get' })
    @ReturnsNothing()
    get(): void {}

    helper(): void {}
  }
  const planted = handlersOf([ThingsController]);

  it('is found by its route', () => {
    expect(planted.map(({ name }) => name)).toEqual(['list', 'create', 'get']);
  });

  it('says who may call it', () => {
    expect(findWithoutAccess(planted)).toEqual(['ThingsController.list']);
    expect(findWithoutAccess(handlers)).toEqual([]);
  });

  it('is an operation with a result, unless it is a page', () => {
    expect(findUndeclared(planted, {})).toEqual([
      'ThingsController.create: no operation',
      'ThingsController.create: no result',
    ]);
    expect(findUndeclared(planted, { ThingsController: 'why' })).toEqual([]);
    expect(findUndeclared(handlers, PAGE_CONTROLLERS)).toEqual([]);
  });

  it('has an operation id of its own', () => {
    expect(findRepeatedOperations(planted)).toEqual(['listThings']);
    expect(findRepeatedOperations(handlers)).toEqual([]);
  });

  it('that takes a key is handed the work of the call, and no other', () => {
    @ApiController('environments/:environmentId/windows', 'windows')
    class WindowsController {
      @Post()
      @Operation({ id: 'addWindow', summary: 'Add', idempotent: true })
      add(@CallWork() _work: Work): void {}

      @Post('forgetful')
      @Operation({ id: 'forgetWindow', summary: 'Add', idempotent: true })
      forget(@Caller() _caller: object): void {}

      @Post('keyless')
      @Operation({ id: 'openWindow', summary: 'Open' })
      open(@CallWork() _work: Work): void {}
    }
    expect(findWithoutWork(handlersOf([WindowsController]))).toEqual([
      'WindowsController.forget',
      'WindowsController.open',
    ]);
    expect(findWithoutWork(handlers)).toEqual([]);
  });

  it('lists no error that follows from its access, path, body or query', () => {
    @ApiController('environments/:environmentId/doors', 'doors')
    class DoorsController {
      @Post()
      @Operation({ id: 'addDoor', summary: 'Add', errors: [400, 401, 403, 404, 422] })
      @Dashboard({ scope: null, role: 'viewer', tokenRefusal: 401 })
      add(): void {}

      @Get()
      @Operation({ id: 'listDoors', summary: 'List', errors: [400, 401, 403, 404] })
      @member()
      list(): void {}
    }
    const body = { requestBody: { content: {} }, responses: {} };
    const item = { post: { operationId: 'addDoor', ...body }, get: { operationId: 'listDoors', responses: {} } };
    const paths = { '/environments/{environmentId}/doors': item };
    expect(findRepeatedErrors(handlersOf([DoorsController]), { ...document, paths })).toEqual([
      'DoorsController.add: 400',
      'DoorsController.add: 401',
      'DoorsController.add: 404',
      'DoorsController.list: 401',
      'DoorsController.list: 403',
      'DoorsController.list: 404',
    ]);
    expect(findRepeatedErrors(handlers, document)).toEqual([]);
  });

  it('lives in the API, or is a listed page outside of it', () => {
    expect(findMisplaced(planted, {})).toEqual(['ThingsController.get: open like a page']);
    expect(findMisplaced(planted.slice(0, 1), { ThingsController: 'why' })).toEqual([
      'ThingsController.list: a page inside the API',
    ]);
    @ApiController('../..', 'stray')
    class StrayController {
      @Get()
      get(): void {}
    }
    Reflect.defineMetadata('path', 'docs', StrayController);
    expect(findMisplaced(handlersOf([StrayController]), {})).toEqual(['StrayController.get: outside of the API']);
    expect(findMisplaced(handlersOf([StrayController]), { StrayController: 'why' })).toEqual([]);
    expect(findMisplaced(handlers, PAGE_CONTROLLERS)).toEqual([]);
  });

  it('that takes the id of a record knows its tenant from the path or from the owner of the record', () => {
    @ApiController('records', 'records')
    class RecordsController {
      @Get()
      @member()
      list(): void {}

      @Get(':recordId')
      @member()
      @Operation({ id: 'getRecord', summary: 'Get' })
      get(@Param('recordId') _id: string): void {}

      @Get(':recordId/parts')
      @member()
      @ScopedBy(Owners, 'partId')
      parts(): void {}

      @Get(':recordId/owned')
      @member()
      @ScopedBy(Owners, 'recordId')
      owned(): void {}
    }
    expect(findWithoutOwner(handlersOf([RecordsController]), {})).toEqual([
      'RecordsController.get: api/v0/records/:recordId',
      'RecordsController.parts: api/v0/records/:recordId/parts',
    ]);
    expect(findWithoutOwner(handlersOf([RecordsController]), { getRecord: 'why' })).toHaveLength(1);
    expect(findWithoutOwner(handlersOf([ThingsController]), {})).toEqual([]);
    expect(findWithoutOwner(handlers, OPERATIONS_WITHOUT_OWNER)).toEqual([]);
  });
});

describe('every body and query', () => {
  class Part {
    @ApiProperty()
    unchecked!: string;

    @StringField()
    name!: string;
  }
  class Sound {
    @StringField({ optional: true })
    name?: string;

    @RefField(() => Sound, { optional: true })
    inner?: Sound;
  }
  class Whole {
    @ListField(() => Part)
    parts!: Part[];

    @IsString()
    handmade!: string;
  }
  class Empty {
    name!: string;
  }

  it('is a class whose properties are declared fields with validation', () => {
    @ApiController('bodies', 'bodies')
    class BodiesController {
      @Post('sound')
      sound(@Body() _body: Sound, @Query() _query: Sound): void {}

      @Post('whole')
      whole(@Body() _body: Whole): void {}

      @Post('loose')
      loose(@Body() _body: Record<string, unknown>, @Query('page') _page: string): void {}

      @Post('empty')
      empty(@Query() _query: Empty): void {}
    }
    expect(findUnvalidated(handlersOf([BodiesController]))).toEqual([
      'BodiesController.whole: @Body Whole.handmade: is not declared as a field',
      'BodiesController.whole: @Body Part.unchecked: is not declared as a field',
      'BodiesController.loose: @Query takes a whole class',
      'BodiesController.loose: @Body Object: declares no fields',
      'BodiesController.empty: @Query Empty: declares no fields',
    ]);
    expect(findUnvalidated(handlers)).toEqual([]);
  });
});

describe('every row', () => {
  @Entity('strays')
  class Stray {
    @PrimaryColumn()
    id!: string;
  }
  @Entity('tenants')
  class OfEnvironment extends EnvironmentEntity {
    @Column()
    name!: string;
  }
  @Entity('teams')
  class OfOrganization extends OrganizationEntity {}

  it('belongs to an environment or an organization, or its entity says why not', async () => {
    const planted = [Stray, OfEnvironment, OfOrganization, class Plain {}];
    expect(findUnscopedEntities(planted, {})).toEqual(['Stray']);
    expect(findUnscopedEntities(planted, { Stray: 'why' })).toEqual([]);
    expect(findUnscopedEntities(await load('.entity.ts'), UNSCOPED_ENTITIES)).toEqual([]);
  });
});

describe('every statement', () => {
  it('of a tenant binds its scope first, which is checked when it loads', async () => {
    expect(() => scopedStatement('planted.1', 'SELECT id FROM wallets WHERE id = $1')).toThrow(
      'does not bind its scope',
    );
    expect(() => scopedStatement('planted.2', 'SELECT id FROM wallets WHERE environment_id = $2')).toThrow();
    expect(scopedStatement('planted.3', 'SELECT id FROM wallets WHERE environment_id = $1').name).toBe('planted.3');
    expect(() => scopedStatement('planted.3', 'SELECT id FROM wallets WHERE environment_id = $1')).toThrow('twice');
    await expect(load('.repository.ts')).resolves.toBeInstanceOf(Array);
  });

  it('on the row of a tenant itself is on no other', () => {
    const make = (name: string, text: string) => () => tenantStatement(`plantedTenants.${name}`, text);
    for (const [at, text] of [
      'SELECT id FROM organizations',
      'SELECT id FROM organizations WHERE name = $1',
      'SELECT id FROM wallets WHERE id = $1',
      'SELECT id FROM organizations WHERE id = $1 OR true',
      'SELECT id FROM organizations WHERE id = $1 UNION SELECT id FROM wallets',
      'SELECT o.id FROM organizations o JOIN members m ON true WHERE o.id = $1',
      'SELECT (SELECT id FROM wallets) FROM organizations WHERE id = $1',
      'UPDATE organizations SET name = $2',
      'UPDATE organizations o SET name = w.id FROM wallets w WHERE o.id = $1',
      'DELETE FROM organizations WHERE id = $1 AND id IN (SELECT id FROM wallets)',
      'DELETE FROM environments',
      'DELETE FROM environments e USING wallets w WHERE e.id = $1 AND w.id = $1',
      'DELETE FROM environments WHERE id = $1 OR deleted_at IS NOT NULL',
      'INSERT INTO organizations (name, id) VALUES ($1, $2)',
    ].entries())
      expect(make(`refuse${at}`, text)).toThrow('not one on the row of its scope');
    for (const [at, text] of [
      'SELECT id FROM environments WHERE id = $1 FOR NO KEY UPDATE',
      'UPDATE organizations SET name = $2, updated_at = now() WHERE id = $1',
      'DELETE FROM environments WHERE id = $1 AND deleted_at IS NOT NULL',
      'INSERT INTO organizations (id, name) VALUES ($1, $2)',
    ].entries())
      expect(make(`take${at}`, text)).not.toThrow();
  });

  it('on rows of many tenants binds each of them to its own', () => {
    const rows = 'FROM unnest($1::uuid[], $2::uuid[]) AS r (environment_id, id)';
    const make = (name: string, text: string) => () => scopedRowsStatement(`plantedRows.${name}`, text);
    expect(make('take1', `UPDATE wallets w SET a = 1 ${rows} WHERE w.environment_id = r.environment_id`)).not.toThrow();
    expect(make('refuse1', `UPDATE wallets w SET a = 1 ${rows} WHERE w.id = r.id`)).toThrow('scope of each row');
    expect(make('refuse2', 'UPDATE wallets SET a = 1 WHERE id = ANY ($1)')).toThrow('scope of each row');
  });

  it('of the deployment touches tables that have no tenant', async () => {
    const make = (name: string, text: string) => () => deploymentStatement(`plantedTables.${name}`, text);
    for (const [at, text] of [
      'SELECT id FROM wallets',
      'SELECT 1 FROM migrations m JOIN wallets w ON true',
      'SELECT 1 FROM migrations, wallets',
      'WITH w AS (SELECT id FROM wallets) SELECT id FROM w',
      'UPDATE wallets SET a = 1',
      'DELETE FROM ONLY wallets',
      'TABLE wallets',
      'INSERT INTO service_secrets SELECT 1 FROM wallets',
    ].entries())
      expect(make(`refuse${at}`, text)).toThrow(/not the deployment's alone|join tables by name/);
    expect(make('take1', 'INSERT INTO service_secrets (name) VALUES ($1) ON CONFLICT DO NOTHING')).not.toThrow();
    await load('.entity.ts');
    const scopes = ['environment_id', 'organization_id'];
    const { tables, columns } = getMetadataArgsStorage();
    const snake = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
    for (const { name, target } of tables.filter((table) => DEPLOYMENT_TABLES.includes(table.name as 'migrations'))) {
      const own = columns.filter((column) => column.target === target).map(({ propertyName }) => snake(propertyName));
      expect([name, own.filter((column) => scopes.includes(column))]).toEqual([name, []]);
    }
  });

  it('is named by what it is about and what it does', async () => {
    const planted = [
      'wallets.find',
      'customFields.lockAll',
      'wallets.by_id',
      'wallets.all',
      'a.b.find',
      'users.free-name',
    ];
    expect(findMisnamedStatements(planted)).toEqual(planted.slice(2));
    await load('.repository.ts');
    // Suites before this one declared some of their own, loaded examples, and made searches, whose statements are numbered.
    const others = new Set([...STATEMENTS_OF_SUITES, ...STATEMENTS_OF_EXAMPLES]);
    const named = statementNames().filter((name) => !others.has(name) && !/^planted|\d$/.test(name));
    expect(findMisnamedStatements(named)).toEqual([]);
    expect(named.length).toBeGreaterThan(150);
  });

  it('of an example is named in the same way', () => {
    expect(findMisnamedStatements([...STATEMENTS_OF_EXAMPLES])).toEqual([]);
    expect(STATEMENTS_OF_EXAMPLES.size).toBeGreaterThan(5);
  });

  it('across tenants has a reason', () => {
    expect(() => asSystem('short')).toThrow('needs a reason');
    expect(asSystem('finds the tenant of a token').statement('planted.4', 'SELECT 1').text).toBe('SELECT 1');
  });
});
