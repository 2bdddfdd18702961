import { createHash, createHmac, randomInt } from 'node:crypto';
import type { World } from './world.js';

export const BOT = 'gatehouse_test_bot';
export const BOT_TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';

export interface TelegramFields {
  id: string;
  auth_date: string;
  [name: string]: string;
}

/** Lets people of an environment sign in at the messaging network. */
export async function enableTelegram(world: World): Promise<string> {
  const body = { provider: 'telegram', clientId: BOT, clientSecret: BOT_TOKEN };
  const made = await world.owner.post<{ id: string }>(world.path('/settings/providers'), body, { expect: 201 });
  await world.owner.put(`/settings/providers/${made.body.id}/enable`, undefined, { expect: 200 });
  return made.body.id;
}

/** An account of nobody else, confirmed now. */
export const newLogin = (more: Partial<TelegramFields> = {}): TelegramFields => ({
  id: String(randomInt(1, 2 ** 40)),
  first_name: 'Ann',
  username: 'ann',
  auth_date: String(Math.floor(Date.now() / 1_000)),
  ...more,
});

/** As the network signs it: https://core.telegram.org/widgets/login#checking-authorization */
export function hashOf(fields: TelegramFields, token = BOT_TOKEN): string {
  const text = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('\n');
  return createHmac('sha256', createHash('sha256').update(token).digest()).update(text).digest('hex');
}

/** What the widget adds to the address of the page. */
export const queryOf = (fields: TelegramFields, token?: string): string =>
  new URLSearchParams({ ...fields, hash: hashOf(fields, token) }).toString();

/** The same as the callback of the widget gives it, in the names of this service. */
export const userOf = (fields: TelegramFields) => ({
  id: Number(fields.id),
  firstName: fields['first_name'],
  username: fields['username'],
  authDate: fields.auth_date,
  hash: hashOf(fields),
});
