import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AddressInfo } from 'node:net';
import { BareModule } from './bare.module.js';
import type { BareSetup } from './setup.js';

/** The baseline: NestJS on Express with `pg`. Receives its setup, listens on loopback and reports its port. */
process.once('message', (setup: BareSetup) => {
  listen(setup).then(
    (port) => process.send?.({ result: { port } }),
    (error: Error) => process.send?.({ error: error.stack ?? error.message }),
  );
});
process.on('disconnect', () => process.exit(0));

async function listen(setup: BareSetup): Promise<number> {
  const app = await NestFactory.create<NestExpressApplication>(BareModule.forRoot(setup), { logger: ['error'] });
  app.disable('x-powered-by');
  app.set('etag', false);
  await app.listen(0, '127.0.0.1');
  return (app.getHttpServer().address() as AddressInfo).port;
}
