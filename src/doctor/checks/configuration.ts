import type { Config } from '../../config/index.js';
import { causeOf, fail, ok, type Finding } from '../finding.js';

/** @param config the settings, or the error that kept them from being read */
export function checkConfiguration(config: Config | Error): Finding {
  if (config instanceof Error) return fail(causeOf(config), 'correct the environment variable of the service');
  return ok(`${config.get('NODE_ENV')}, role ${config.get('ROLE')}, ${config.publicUrl}`);
}
