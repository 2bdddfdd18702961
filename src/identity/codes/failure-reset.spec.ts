import { describe, expect, it } from '@jest/globals';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import type { Admission } from '../flows/admission/sign-in-checks.js';
import { SignInEffects } from '../flows/admission/sign-in-effects.js';
import type { FullUser } from '../users/full-user.js';
import type { OneTimeCodes } from './one-time-codes.js';
import { FailureReset } from './failure-reset.js';

const verifiedAt = new Date('2026-01-01T00:00:00Z');
const USER = {
  verifiedCredentials: [
    { id: '1', format: 'email', signInEnabled: true, email: 'ada@example.com', verifiedAt },
    { id: '2', format: 'email', signInEnabled: false, email: 'said@example.com' },
    { id: '4', format: 'phoneNumber', signInEnabled: true, public_identifier: '+41446681800', verifiedAt },
    { id: '3', format: 'blockchain', signInEnabled: true, address: '0xA', verifiedAt },
  ],
} as FullUser;

async function forgivenAfter(changes: Partial<Admission>): Promise<(readonly string[])[]> {
  const forgiven: (readonly string[])[] = [];
  const codes: Pick<OneTimeCodes, 'forgive'> = {
    forgive: async (_environmentId, addresses) => void forgiven.push(addresses),
  };
  const effects = new SignInEffects();
  new FailureReset(codes as OneTimeCodes, effects).onModuleInit();
  const admission: Admission = {
    environmentId: 'e' as EnvironmentId,
    user: USER,
    created: false,
    amr: ['pop'],
    occasion: 'sign-in',
    client: { ipAddress: '', userAgent: null, origin: null },
    ...changes,
  };
  await effects.run(admission, {} as Transaction);
  return forgiven;
}

describe('wrong codes for an address', () => {
  it('are forgiven when its owner signs in with another factor, for proven addresses alone', async () => {
    await expect(forgivenAfter({})).resolves.toEqual([['ada@example.com', '+41446681800']]);
  });

  it('are not forgiven by a code that came the same way', async () => {
    await expect(forgivenAfter({ amr: ['otp'] })).resolves.toEqual([['+41446681800']]);
    await expect(forgivenAfter({ amr: ['sms'] })).resolves.toEqual([['ada@example.com']]);
    await expect(forgivenAfter({ amr: ['otp', 'sms'] })).resolves.toEqual([]);
  });
});
