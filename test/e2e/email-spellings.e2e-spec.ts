import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DuplicateMerges } from '../../src/identity/accounts/duplicate-merges.service.js';
import { normaliseEmail } from '../../src/identity/credentials/identifiers.js';
import { DevInbox } from '../../src/providers/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newEmail, World } from '../support/world.js';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await startTestApp({ env: { ROLE: 'api' } });
  world = await World.create(test);
});
afterAll(() => test.close());

interface Answer {
  verificationUUID?: string;
  code?: string;
  user?: { id: string };
  count?: number;
}
interface Sent {
  status: number;
  body: Answer;
}

/** Not by the client of the tests: `email` of the documented answers is one of ASCII. */
async function send(method: string, path: string, token: string | null, body?: object): Promise<Sent> {
  const response = await fetch(`${test.url}/api/v0${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer };
}

async function created(email: string): Promise<string> {
  const { body } = await send('POST', world.path('/users'), world.token, { email });
  return body.user!.id;
}
const marker = (): string => randomBytes(4).toString('hex');

/** Signs in with a code, wherever the mail was sent. */
async function signIn(email: string): Promise<[status: number, code: string | undefined, userId: string | undefined]> {
  const { body: sent } = await send('POST', world.sdk('/emailVerifications/create'), null, { email });
  const verificationToken = test.app.get(DevInbox).entries.find(({ code }) => code)?.code;
  const answer = { verificationUUID: sent.verificationUUID, verificationToken };
  const { status, body } = await send('POST', world.sdk('/emailVerifications/signin'), null, answer);
  return [status, body.code, body.user?.id];
}

describe('an address that is written in several ways', () => {
  it('and was given to two users is listed, and a merge of them lets its owner in', async () => {
    const name = marker();
    const ids = [await created(`${name}@bücher.example`), await created(`${name}@xn--bcher-kva.example`)];
    expect((await signIn(`${name}@bücher.example`)).slice(0, 2)).toEqual([422, 'ambiguous_identifier']);
    const merges = test.app.get(DuplicateMerges);
    const listed = { format: 'email', identifier: `${name}@xn--bcher-kva.example`, userIds: ids.toSorted() };
    expect(await merges.list(world.environmentId)).toContainEqual(listed);
    const path = world.path(
      `/users?filter[filterDuplicates]=true&filter[filterValue]=${name}&filter[filterColumn]=email`,
    );
    expect((await send('GET', path, world.token)).body.count).toBe(2);
    await merges.merge(world.environmentId, { userId: ids[0]!, fromUserId: ids[1]! }, ids[0]!);
    expect(await signIn(`${name}@BÜCHER.example`)).toEqual([200, undefined, ids[0]]);
  });

  it.each(['İ', 'ΣΣ', 'É', 'ẞ'])('that an API call gave is found by a code: %s', async (letters) => {
    const email = `${letters}${marker()}@example.com`;
    const id = await created(email);
    expect(await signIn(email)).toEqual([200, undefined, id]);
    const { normal } = normaliseEmail(email)!;
    expect((await signIn(normal))[2]).toBe(id);
  });

  it.each(['İ@example.com', 'ΣΣ@example.com', 'a@bücher.example'])('is taken once: %s', async (address) => {
    const email = `${marker()}${address}`;
    await created(email);
    const { jwt } = await world.signIn(newEmail());
    const asked = encodeURIComponent(normaliseEmail(email)!.normal);
    const path = world.sdk(`/users/check?filter[field]=email&filter[value]=${asked}`);
    const { body } = await send('GET', path, jwt);
    expect(body).toMatchObject({ available: false });
  });
});
