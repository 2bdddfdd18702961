import { Clock } from '../common/clock.js';
import { Config } from '../config/index.js';
import { checkConfiguration } from './checks/configuration.js';
import { checkNodeVersion } from './checks/node-version.js';
import { report, type Check } from './report.js';

type Environment = Parameters<typeof Config.load>[0];

function load(environment?: Environment): Config | Error {
  try {
    return Config.load(environment);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/**
 * `npm run doctor`: checks everything the service depends on and says what to fix.
 *
 * @param environment defaults to that of this process
 * @returns the exit code: 1 if any check failed
 */
export async function examine(print: (line: string) => void, environment?: Environment): Promise<0 | 1> {
  const config = load(environment);
  const first: Check[] = [
    { what: 'Node.js', run: () => checkNodeVersion(process.versions.node) },
    { what: 'Configuration', run: () => checkConfiguration(config) },
  ];
  // Without valid settings nothing more can be checked; the other checks would load most of the service.
  if (config instanceof Error) return report(first, print);
  const { checklist } = await import('./checklist.js');
  const { Deployment } = await import('./deployment.js');
  const deployment = new Deployment(config, new Clock());
  try {
    return await report([...first, ...checklist(config, deployment)], print);
  } finally {
    await deployment.close();
  }
}
