import { RATE_RULES, rateLimitOf, type RateRule } from '../auth/index.js';
import type { Operation } from './document-types.js';

const WINDOWS: Readonly<Record<number, string>> = { 60: 'minute', 3600: 'hour' };

const COUNTED_BY: Readonly<Record<RateRule['per'], string>> = {
  address: 'client address',
  network: 'IPv6 /48 in an environment',
  environment: 'environment',
};

const inWords = ({ limit, windowSeconds, per }: RateRule, what = 'requests'): string => {
  const window = WINDOWS[windowSeconds] ?? `${windowSeconds} s`;
  return `${limit} ${what} per ${window} and ${COUNTED_BY[per]}`;
};

/** Every limit of an operation in words: its own, that of its route, and those of its audience. */
export function limitsOf(path: string, operation: Operation, handler: object | undefined): string[] {
  const own = handler && rateLimitOf(handler);
  // Most handlers say it themselves, and some say what else it counts.
  const said = (operation['x-limits'] ?? []).filter((words) => !own || words !== inWords(own, 'calls'));
  const ofClients = [RATE_RULES.client, RATE_RULES.clientNetwork, RATE_RULES.clientEnvironment];
  const general =
    operation['x-audience'] === 'dashboard'
      ? [RATE_RULES.server]
      : ofClients.filter(({ per }) => per === 'address' || path.includes('{environmentId}'));
  return [...said, ...[...(own ? [own] : []), ...general].map((each) => inWords(each))];
}
