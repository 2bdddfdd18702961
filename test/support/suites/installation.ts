import { it } from '@jest/globals';
import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource, type MigrationInterface } from 'typeorm';
import { AppModule } from '../../../src/app.module.js';
import { COMMANDS } from '../../../src/cli/commands.js';
import { Config } from '../../../src/config/index.js';
import { buildDocument, EXTRA_SCHEMAS } from '../../../src/openapi/index.js';
import { generateMasterKey, parseKeyRing } from '../../../src/vault/index.js';
import { startTestApp, type TestApp } from '../app.js';
import type { OpenApiDoc } from '../contract/openapi-document.js';
import { apiDocument, operations, operationsOf, type ApiOperation } from '../surface/operations.js';
import { peerSettings } from './peers.js';
import { serviceSurface } from '../surface/registry.js';
import { joinSurfaces, type Surface, type WholeSurface } from '../surface/surface.js';

/** What a generated suite runs on: an application, and the operations to cover. */
export interface Installation {
  start(): Promise<TestApp>;
  surface: WholeSurface;
  operations: readonly ApiOperation[];
  /** The operator's commands. */
  commands: readonly string[];
  /** Names of all events that must occur. */
  events: readonly string[];
}

/** The service itself, with a part of its operations, so that several workers share a suite. */
export const service = (part = 1, parts = 1): Installation => ({
  start: async () => startTestApp({ ownDatabase: 'general', env: { ROLE: 'api', ...(await peerSettings()) } }),
  surface: serviceSurface,
  operations: partOf(operations, part, parts),
  commands: COMMANDS.map(({ words }) => words),
  events: Object.keys((apiDocument as { webhooks?: object }).webhooks ?? {}),
});

/** Every n-th path with its operations. Neighbours are alike, so they are distributed among the parts. */
export function partOf(all: readonly ApiOperation[], part: number, parts: number): ApiOperation[] {
  const paths = [...new Set(all.map(({ path }) => path))];
  const chosen = new Set(paths.filter((_, at) => at % parts === part - 1));
  return all.filter(({ path }) => chosen.has(path));
}

export interface Extension {
  modules: ModuleMetadata['imports'];
  migrations: readonly MigrationInterface[];
  surface: Surface;
}

/** The service with an extension; covers what the extension adds. */
export async function extended({ modules, migrations, surface }: Extension): Promise<Installation> {
  const document = await documentWith(modules);
  const known = new Set(operations.map(({ id }) => id));
  // Records and kinds of the service stay, since an extension's paths may name them. Its scenarios run elsewhere.
  const { records, kinds, operations: declared } = serviceSurface;
  const whole = joinSurfaces([{ records, kinds, operations: declared }, surface]);
  const own = operationsOf(document, whole).filter(({ id }) => !known.has(id));
  return {
    start: () =>
      startTestApp({
        ownDatabase: 'general',
        env: { ROLE: 'api' },
        extensions: modules,
        document,
        prepare: migrate(migrations),
      }),
    surface: whole,
    operations: own,
    commands: [],
    events: [...new Set(own.flatMap(({ events }) => events))],
  };
}

const migrate =
  (migrations: readonly MigrationInterface[]) =>
  async (app: INestApplication): Promise<void> => {
    const runner = app.get(DataSource).createQueryRunner();
    for (const migration of migrations) await migration.up(runner);
    await runner.release();
  };

/** The document of an application with these modules, without starting one. */
export async function documentWith(extensions: ModuleMetadata['imports']): Promise<OpenApiDoc> {
  const key = generateMasterKey();
  const config = Config.load({ NODE_ENV: 'test', DATABASE_URL: 'postgres://127.0.0.1/unused', MASTER_KEY: key });
  const root = AppModule.forRoot({ config, vault: parseKeyRing(key), extensions });
  const app = await NestFactory.create(root, { preview: true, logger: false, abortOnError: false });
  return JSON.parse(JSON.stringify(buildDocument(app, EXTRA_SCHEMAS))) as OpenApiDoc;
}

type Work = (title: string, operation: ApiOperation) => Promise<void>;

/** A test per operation; tolerates an empty list, since an extension or a part may have none of a kind. */
export const forEach =
  (list: readonly ApiOperation[]) =>
  (sentence: string, work: Work, timeoutMs?: number): void => {
    if (list.length === 0) return;
    it.each(list.map((operation) => [operation.title, operation] as const))(sentence, work, timeoutMs);
  };
