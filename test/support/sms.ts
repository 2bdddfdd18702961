import { randomInt } from 'node:crypto';
import type { AccountAnswer } from './accounts.js';
import type { Answer } from './client.js';
import type { World } from './world.js';

/** A phone number as clients send it. */
export interface PhoneBody {
  phoneCountryCode: string;
  phoneNumber: string;
  isoCountryCode: string;
}

/** A unique Swiss mobile number. */
export function newPhone(): { e164: string; body: PhoneBody } {
  const phoneNumber = `79${randomInt(10_000_000).toString().padStart(7, '0')}`;
  return { e164: `+41${phoneNumber}`, body: { phoneCountryCode: '41', phoneNumber, isoCountryCode: 'CH' } };
}

/** Enables sign-in by text message in an environment, for Swiss numbers and those of test accounts. */
export async function enableSms(world: World): Promise<string> {
  const made = await world.owner.post<{ id: string }>(
    world.path('/settings/providers'),
    {
      provider: 'sms',
      clientSecret: 'a secret of the vendor',
      accountSid: 'AC1',
      smsSenderNumber: '+15005550006',
      enabledCountries: [{ isoCountryCode: 'CH', phoneCountryCode: '41' }],
    },
    { expect: 201 },
  );
  await world.owner.put(`/settings/providers/${made.body.id}/enable`, undefined, { expect: 200 });
  return made.body.id;
}

/** Verifies a number with its code, as a signed-in user. */
export async function verifyPhone(
  world: World,
  token: string,
  { e164, body }: ReturnType<typeof newPhone>,
): Promise<Answer<AccountAnswer>> {
  const path = world.sdk('/smsVerifications');
  const sent = await world.anonymous.post<{ verificationUUID: string }>(`${path}/create`, body, { expect: 201 });
  const answer = { verificationUUID: sent.body.verificationUUID, verificationToken: world.code(e164) };
  return world.anonymous.post<AccountAnswer>(`${path}/verify`, answer, { token });
}
