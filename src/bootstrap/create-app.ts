import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { ConsoleLogger, LogLevel } from '@nestjs/common';
import { AppModule, type AppParts } from '../app.module.js';
import { receiveRequests } from '../common/http/receive-requests.js';
import { ProjectingAdapter } from '../common/http/projecting.adapter.js';
import { parseQuery } from '../common/http/query.js';
import type { Config } from '../config/index.js';
import { Cors } from '../environments/index.js';
import { KeyedRequests } from '../idempotency/index.js';
import { ServiceLogger } from './service-logger.js';

const LEVELS: readonly LogLevel[] = ['error', 'warn', 'log', 'debug', 'verbose'];

/** Milliseconds. Keep-alive outlives the idle time of usual balancers (60 s), so that they close first. */
const TIMEOUTS = { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 };

function logger(config: Config): ConsoleLogger {
  const levels = LEVELS.slice(0, LEVELS.indexOf(config.get('LOG_LEVEL')) + 1);
  return config.isProduction
    ? new ServiceLogger({ json: true, logLevels: [...levels] })
    : new ServiceLogger({ prefix: 'Gatehouse', logLevels: [...levels].filter((level) => level !== 'log') });
}

/** Builds the application; it does not listen yet. */
export async function createApp(parts: AppParts): Promise<NestExpressApplication> {
  const { config } = parts;
  const adapter = new ProjectingAdapter();
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(parts), adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: logger(config),
    forceCloseConnections: false,
  });
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', parseQuery);
  app.set('trust proxy', [...config.get('TRUST_PROXY')]);
  const operations = app.get(KeyedRequests).around(adapter.operations);
  app.use(receiveRequests({ beforeBody: app.get(Cors).handle, operations }));
  Object.assign(app.getHttpServer() as object, TIMEOUTS);
  return app;
}
