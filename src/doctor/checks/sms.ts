import { ok, warn, type Finding } from '../finding.js';
import type { Reached } from './vendors.js';

export interface SmsInput {
  /** The distinct addresses of enabled providers; null if the database cannot be used. */
  gateways: readonly string[] | null;
  /** How many are checked; `gateways` has at most one more. */
  most: number;
  /** Whether text messages go to the development inbox, whatever is enabled. */
  staysHere: boolean;
  /** Probes an address without sending a message. */
  reach: (url: string) => Promise<Reached>;
}

/** Gateway addresses are set by teams and contain no key, so reports name their hosts. */
export async function checkSms({ gateways, most, staysHere, reach }: SmsInput): Promise<Finding> {
  if (!gateways) return warn('not checked: the database cannot be used');
  if (gateways.length === 0) return ok('no environment has enabled an SMS provider');
  if (staysHere) return ok('development inbox');
  const found = await Promise.all(
    gateways.slice(0, most).map(async (url) => ({ host: new URL(url).host, answer: await reach(url) })),
  );
  const rest = gateways.length > most ? `; only ${most} were checked` : '';
  const meaning = found
    .map(({ host, answer }) =>
      typeof answer === 'string' ? `${host} does not respond (${answer})` : `${host} responds with ${answer.status}`,
    )
    .join('; ');
  const isWell = found.every(({ answer }) => typeof answer !== 'string' && answer.status < 500);
  const fix = 'let the service reach them, or tell their teams: until then no SMS code arrives';
  return isWell ? ok(`${meaning}${rest}`) : warn(`${meaning}${rest}`, fix);
}
