import { createHash, createHmac, randomInt } from 'node:crypto';
import type { World } from './world.js';

export const BOT = 'gatehouse_test_bot';
export const BOT_TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';

export interface TelegramFields {
  id: string;
  auth_date: string;
  [name: string]: string;
}

/** Enables sign-in through the messaging network in an environment. */
export async function enableTelegram(world: World): Promise<string> {
  const body = { provider: 'telegram', clientId: BOT, clientSecret: BOT_TOKEN };
  const made = await world.owner.post<{ id: string }>(world.path('/settings/providers'), body, { expect: 201 });
  await world.owner.put(`/settings/providers/${made.body.id}/enable`, undefined, { expect: 200 });
  return made.body.id;
}

/** A unique account, confirmed now. */
export const newLogin = (more: Partial<TelegramFields> = {}): TelegramFields => ({
  id: String(randomInt(1, 2 ** 40)),
  first_name: 'Ann',
  username: 'ann',
  auth_date: String(Math.floor(Date.now() / 1_000)),
  ...more,
});

/** Signed as by the network: https://core.telegram.org/widgets/login#checking-authorization */
export function hashOf(fields: TelegramFields, token = BOT_TOKEN): string {
  const text = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('\n');
  return createHmac('sha256', createHash('sha256').update(token).digest()).update(text).digest('hex');
}

/** The parameters that the widget adds to the page's URL. */
export const queryOf = (fields: TelegramFields, token?: string): string =>
  new URLSearchParams({ ...fields, hash: hashOf(fields, token) }).toString();

/** The same from the widget's callback, with the field names of this service. */
export const userOf = (fields: TelegramFields) => ({
  id: Number(fields.id),
  firstName: fields['first_name'],
  username: fields['username'],
  authDate: fields.auth_date,
  hash: hashOf(fields),
});
