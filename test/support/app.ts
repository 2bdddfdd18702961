import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import type { AppParts } from '../../src/app.module.js';
import { createApp } from '../../src/bootstrap/create-app.js';
import { Config } from '../../src/config/index.js';
import { openKeyVault, type KeyVault, type SignerCalls } from '../../src/vault/index.js';
import { holdAgainst } from './client.js';
import type { OpenApiDoc } from './contract/openapi-document.js';
import { assertDocumentedEvents } from './event-payloads.js';
import { keepKeyPairs } from './kept-key-pairs.js';
import { keepStrategiesApart } from './own-strategies.js';
import { createDatabase, workerDatabase } from './postgres.js';
import { redisUrl } from './redis.js';
import { noteAnswers } from './seen/seen-answers.js';
import { signerOfRun } from './wire-signer.js';
import { asOwner, bringPolicies, isRunGuarded, lookFromOutside } from './row-security.js';

export interface TestApp {
  app: NestExpressApplication;
  url: string;
  config: Config;
  databaseUrl: string;
  masterKey: string;
  close(): Promise<void>;
}

interface TestAppOptions {
  /** Wake-ups and rate limits through the real Redis instead of in-process. */
  redis?: boolean;
  /** A separate database; by default that of this Jest worker. `general`: with generic plans, as there. */
  ownDatabase?: boolean | 'general';
  databaseUrl?: string;
  masterKey?: string;
  env?: Record<string, string>;
  /** Modules in addition to the service's. */
  extensions?: AppParts['extensions'];
  /** The document that responses and events are checked against; the committed one by default. */
  document?: OpenApiDoc;
  /** Where keys are decrypted; in this process by default. */
  signer?: (vault: KeyVault) => SignerCalls;
  /** Runs before the application starts. */
  prepare?: (app: NestExpressApplication) => Promise<void>;
}

/** The whole service on a real PostgreSQL, listening on a free port of loopback. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.databaseUrl
    ? { url: options.databaseUrl, drop: async () => undefined }
    : options.ownDatabase
      ? await createDatabase(options.ownDatabase === 'general' ? 'general' : undefined)
      : await workerDatabase();
  const isGuarded = isRunGuarded() && options.env?.['DATABASE_ROW_SECURITY'] === undefined;
  const serviceUrl = isGuarded ? await asOwner(database.url) : database.url;
  if (isGuarded) await bringPolicies(serviceUrl, true);
  const masterKey = options.masterKey ?? process.env['GATEHOUSE_TEST_MASTER_KEY'] ?? '';
  const config = Config.load({
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: '0',
    SEED: 'false',
    LOG_LEVEL: 'error',
    RATE_LIMIT_SCALE: '1000000',
    // Suites of a worker share its database, so mails of all are counted even in one that sets another scale.
    MAILS_PER_HOUR: '10000000',
    DATABASE_URL: serviceUrl,
    ...(isGuarded && { DATABASE_ROW_SECURITY: 'on' }),
    // That of an API: each further connection parses and plans every statement again.
    DATABASE_POOL: '10',
    // Other suites run concurrently; tests of overload set it themselves.
    DATABASE_WAIT_MS: '30000',
    MASTER_KEY: masterKey,
    // The test's own client keeps this process busy for longer than a shared service would wait.
    ...(options.redis && { REDIS_URL: redisUrl(), REDIS_WAIT_MS: '30000' }),
    ...options.env,
  });
  const vault = await openKeyVault(config, masterKey);
  const signer = options.signer?.(vault) ?? signerOfRun(vault, config);
  const app = await createApp({ config, vault, signer, extensions: options.extensions });
  if (isGuarded) lookFromOutside(app.get(DataSource), database.url);
  keepStrategiesApart(app);
  keepKeyPairs(app);
  assertDocumentedEvents(app, options.document);
  // Responses of an extension in place of the service are not in the document.
  if (!options.extensions) noteAnswers(app.getHttpServer());
  try {
    await options.prepare?.(app);
    await app.listen(0, '127.0.0.1');
  } catch (error) {
    // Whatever has started would otherwise keep sweeping after its suite.
    await app.close();
    await signer?.close();
    throw error;
  }
  const { port } = app.getHttpServer().address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  if (options.document) holdAgainst(options.document, url);
  return {
    app,
    url,
    config,
    databaseUrl: database.url,
    masterKey,
    close: async () => {
      await app.close();
      await signer?.close();
      await vault.close();
      if (options.ownDatabase) await database.drop();
    },
  };
}
