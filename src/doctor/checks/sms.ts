import { ok, warn, type Finding } from '../finding.js';
import type { Reached } from './vendors.js';

export interface SmsInput {
  /** Where the providers that environments have enabled are, each once; null when the database did not answer. */
  gateways: readonly string[] | null;
  /** How many are looked at; there is at most one more. */
  most: number;
  /** Whether texts end in the development inbox, whatever is enabled. */
  staysHere: boolean;
  /** Asks an address, without sending anything to anybody. */
  reach: (url: string) => Promise<Reached>;
}

/** Addresses of gateways are of teams, and hold no key: a gateway goes by its host. */
export async function checkSms({ gateways, most, staysHere, reach }: SmsInput): Promise<Finding> {
  if (!gateways) return warn('not looked at: the database did not answer');
  if (gateways.length === 0) return ok('no environment has enabled a provider');
  if (staysHere) return ok('development inbox');
  const found = await Promise.all(
    gateways.slice(0, most).map(async (url) => ({ host: new URL(url).host, answer: await reach(url) })),
  );
  const rest = gateways.length > most ? `; more than ${most} are not looked at` : '';
  const meaning = found
    .map(({ host, answer }) =>
      typeof answer === 'string' ? `${host} does not answer (${answer})` : `${host} answers ${answer.status}`,
    )
    .join('; ');
  const isWell = found.every(({ answer }) => typeof answer !== 'string' && answer.status < 500);
  const fix = 'let the service reach them, or tell their teams: no code by text message arrives meanwhile';
  return isWell ? ok(`${meaning}${rest}`) : warn(`${meaning}${rest}`, fix);
}
