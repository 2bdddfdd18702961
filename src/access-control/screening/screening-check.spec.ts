import { describe, expect, it } from '@jest/globals';
import type { Clock } from '../../common/clock.js';
import type { Database, EnvironmentId, UnitOfWork } from '../../database/index.js';
import { PreparationNeeded, type Admission, type SignInChecks } from '../../identity/index.js';
import type { ChangeLog } from '../../organizations/index.js';
import { ScreeningCheck } from './screening-check.js';
import type { ScreeningRepository } from './screening.repository.js';
import type { ScreeningSources } from './screening-sources.js';
import { WalletScreening } from './wallet-screening.js';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const SECONDS = 1_000;

/** The check of a sign-in with a wallet that a source was asked about so long ago. */
async function askedAgo(): Promise<(ageMs: number, prepared: boolean) => Promise<unknown>> {
  let now = 0;
  const screening = new WalletScreening(
    { isOn: async () => true } as unknown as ScreeningRepository,
    { screen: async () => [{ address: ADDRESS, result: 'OK', response: '' }] } as unknown as ScreeningSources,
    { keep: async () => undefined },
    {} as ChangeLog,
    {} as UnitOfWork,
    { timestamp: () => now } as Clock,
  );
  await screening.assertClean('e' as EnvironmentId, [ADDRESS], null);
  const check = new ScreeningCheck({} as SignInChecks, screening);
  const user = { id: 'u', verifiedCredentials: [{ format: 'blockchain', address: ADDRESS }] };
  return (ageMs, prepared) => {
    now = ageMs;
    return check.check({ environmentId: 'e', user, prepared } as unknown as Admission, {} as Database);
  };
}

describe('a wallet that a source was asked about', () => {
  it('is not asked about again at once, but after a minute', async () => {
    const check = await askedAgo();
    await expect(check(30 * SECONDS, false)).resolves.toBeNull();
    await expect(check(60 * SECONDS, false)).rejects.toThrow(PreparationNeeded);
  });

  it.each([40, 44, 46, 59])(
    '%d seconds ago is known as well when another rule has the sign-in repeated',
    async (age) => {
      const check = await askedAgo();
      const outcome = await check(age * SECONDS, false).catch((error: unknown) => error);
      if (outcome instanceof PreparationNeeded) await outcome.prepare();
      await expect(check((age + 10) * SECONDS, true)).resolves.toBeNull();
    },
  );
});
