import { Clock } from '../common/clock.js';
import { Config } from '../config/index.js';
import { checklist } from './checklist.js';
import { checkConfiguration } from './checks/configuration.js';
import { checkNodeVersion } from './checks/node-version.js';
import { Deployment } from './deployment.js';
import { report, type Check } from './report.js';

function load(): Config | Error {
  try {
    return Config.load();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** `npm run doctor`: looks at everything the service rests on and says what to do. */
async function examine(): Promise<0 | 1> {
  const config = load();
  const first: Check[] = [
    { what: 'Node.js', run: () => checkNodeVersion(process.versions.node) },
    { what: 'Configuration', run: () => checkConfiguration(config) },
  ];
  // Without settings there is nothing more to look at.
  if (config instanceof Error) return report(first, console.log);
  const deployment = new Deployment(config, new Clock());
  try {
    return await report([...first, ...checklist(config, deployment)], console.log);
  } finally {
    await deployment.close();
  }
}

process.exit(await examine());
