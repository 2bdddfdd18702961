import type { Answer } from './client.js';
import type { World } from './world.js';

export interface Refusal {
  error: string;
  code: string;
  requestId: string;
}

/** A code that is not the given one. */
export const wrongCode = (code: string, step = 1): string => String((Number(code) + step) % 1_000_000).padStart(6, '0');

/** Sends a code back, whatever the answer. */
export const trySignIn = (
  world: World,
  verificationUUID: string,
  verificationToken: string,
  environmentId?: string,
): Promise<Answer<Refusal>> =>
  world.anonymous.post<Refusal>(world.sdk('/emailVerifications/signin', environmentId), {
    verificationUUID,
    verificationToken,
  });

/** Every header of an answer but those that are different in any two answers. */
export const steadyHeaders = ({ headers }: Answer<unknown>): [string, string][] =>
  [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
