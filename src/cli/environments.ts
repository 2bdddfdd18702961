import type { INestApplicationContext } from '@nestjs/common';
import { TenantDirectory, type TenantEnvironment } from '../auth/index.js';
import { isUuid } from '../common/ids.js';
import { required, UsageError } from './arguments.js';

/** The environment that an option names. @throws UsageError */
export async function environmentOf(
  app: INestApplicationContext,
  text: string | undefined,
): Promise<TenantEnvironment> {
  const id = required(text, 'environment');
  const environment = isUuid(id) ? await app.get(TenantDirectory).findEnvironment(id.toLowerCase()) : null;
  if (!environment) throw new UsageError(`There is no environment ${id}.`);
  return environment;
}
