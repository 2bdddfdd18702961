import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../src/app.module.js';
import { Config } from '../../src/config/index.js';
import { parseKeyRing } from '../../src/vault/index.js';
import { PUBLIC_URL } from '../stack/service.js';

/** The service's modules in this process, without a server, for what no API operation offers. */
export async function withApplication<T>(
  { databaseUrl, masterKey }: { databaseUrl: string; masterKey: string },
  use: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const config = Config.load({
    ...{ NODE_ENV: 'production', ROLE: 'api', SEED: 'false', LOG_LEVEL: 'error' },
    ...{ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey, PUBLIC_URL },
  });
  const parts = { config, vault: parseKeyRing(masterKey) };
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(parts), { logger: ['error'] });
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}
