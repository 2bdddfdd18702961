import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { ConsoleLoggerOptions, LoggerService, LogLevel } from '@nestjs/common';
import { AppModule, type AppParts } from '../app.module.js';
import { Drain } from '../common/http/drain.js';
import { receiveRequests } from '../common/http/receive-requests.js';
import { ProjectingAdapter } from '../common/http/projecting.adapter.js';
import { parseQuery } from '../common/http/query.js';
import type { Config } from '../config/index.js';
import { Cors } from '../environments/index.js';
import { Observers } from '../observability/index.js';
import { rememberRules } from '../patches/index.js';
import { ServiceLogger } from './service-logger.js';

const LEVELS: readonly LogLevel[] = ['error', 'warn', 'log', 'debug', 'verbose'];

export async function loggerFor(config: Config): Promise<LoggerService> {
  const least = config.get('LOG_LEVEL');
  if (config.isProduction) {
    const { JsonLogger } = await import('./json-logger.js');
    return JsonLogger.create(least);
  }
  return new ServiceLogger(developmentLog(config));
}

export const developmentLog = (config: Config): ConsoleLoggerOptions => ({
  prefix: 'Gatehouse',
  logLevels: LEVELS.slice(0, LEVELS.indexOf(config.get('LOG_LEVEL')) + 1),
});

/** Builds the application without listening. */
export async function createApp(parts: AppParts): Promise<NestExpressApplication> {
  const { config } = parts;
  rememberRules();
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(parts), new ProjectingAdapter(), {
    bodyParser: false,
    abortOnError: false,
    logger: await loggerFor(config),
    forceCloseConnections: false,
  });
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', parseQuery);
  app.set('trust proxy', [...config.get('TRUST_PROXY')]);
  app.use(
    receiveRequests({
      beforeBody: app.get(Cors).handle,
      drain: app.get(Drain),
      observer: await app.get(Observers).start(),
    }),
  );
  return app;
}
