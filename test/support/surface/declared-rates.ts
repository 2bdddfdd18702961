import { RATE_RULES } from '../../../src/auth/index.js';
import type { ApiOperation } from './operations.js';

/** A rate limit, as stated in the document. */
export interface DeclaredRate {
  most: number;
  windowSeconds: number;
  per: 'client address' | 'IPv6 /48 in an environment' | 'environment';
  /** Whether it applies to every operation of its audience. */
  isGeneral: boolean;
}

const WINDOWS: Readonly<Record<string, number>> = { minute: 60, hour: 3_600 };
const GENERAL: readonly number[] = [
  RATE_RULES.client.limit,
  RATE_RULES.clientNetwork.limit,
  RATE_RULES.clientEnvironment.limit,
  RATE_RULES.server.limit,
];

/** The limits that are checked first. */
export const declaredRates = ({ limits }: Pick<ApiOperation, 'limits'>): DeclaredRate[] =>
  limits.flatMap((text) => {
    const [, most, window, per] =
      /^(\d+) requests per (minute|hour) and (client address|IPv6 \/48 in an environment|environment)$/.exec(text) ??
      [];
    if (most === undefined) return [];
    return [
      {
        ...{ most: Number(most), windowSeconds: WINDOWS[window!]!, per: per as DeclaredRate['per'] },
        isGeneral: GENERAL.includes(Number(most)),
      },
    ];
  });

/** A limit stated by the operation itself: calls of a client, whatever they are for. */
export function clientLimitOf(text: string): DeclaredRate | null {
  const [, most] = /^(\d+) calls (?:per|a) minute (?:and|for each) client address$/.exec(text) ?? [];
  return most === undefined ? null : { most: Number(most), windowSeconds: 60, per: 'client address', isGeneral: false };
}
