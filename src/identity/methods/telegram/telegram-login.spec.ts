import { describe, expect, it } from '@jest/globals';
import { createHash, createHmac } from 'node:crypto';
import { parseSignedLogin, verifyLogin } from './telegram-login.js';

const TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';
const AUTH_DATE = '1767182400';

/** Written a second time, after the text of the vendor, so that both must agree. */
function widget(fields: Record<string, string>, token = TOKEN): string {
  const text = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('\n');
  const key = createHash('sha256').update(token).digest();
  return new URLSearchParams({ ...fields, hash: createHmac('sha256', key).update(text).digest('hex') }).toString();
}

function miniApp(user: object, token = TOKEN): string {
  const fields = { auth_date: AUTH_DATE, query_id: 'AAE', signature: 'c2ln', user: JSON.stringify(user) };
  const key = createHmac('sha256', 'WebAppData').update(token).digest();
  const text = Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
  return new URLSearchParams({ ...fields, hash: createHmac('sha256', key).update(text).digest('hex') }).toString();
}

const ANN = { id: '42', first_name: 'Ann', username: 'ann', photo_url: 'https://t.me/i/a.jpg', auth_date: AUTH_DATE };

const verified = (text: string, token = TOKEN) => {
  const login = parseSignedLogin(text);
  return login && verifyLogin(login, token);
};

describe('a login that the messaging network signed', () => {
  it('names the account, by the widget as by a mini app', () => {
    const account = {
      id: '42',
      firstName: 'Ann',
      lastName: null,
      username: 'ann',
      photoUrl: 'https://t.me/i/a.jpg',
    };
    expect(verified(widget(ANN))).toMatchObject({ account, signedAt: new Date('2025-12-31T12:00:00Z') });
    const { auth_date: _, ...user } = ANN;
    expect(verified(miniApp({ ...user, id: 42 }))?.account).toEqual(account);
  });

  it('is told apart from every other one, and not by its signature', () => {
    const [one, other] = [verified(widget(ANN))!, verified(widget({ ...ANN, auth_date: '1767182401' }))!];
    expect(one.loginHash.equals(other.loginHash)).toBe(false);
    expect(widget(ANN)).not.toContain(one.loginHash.toString('hex'));
  });

  it.each<[string, string]>([
    ['another bot signed it', widget(ANN, '1:other')],
    ['its id was changed', widget(ANN).replace('id=42', 'id=43')],
    ['its time was changed', widget(ANN).replace(AUTH_DATE, '1767182401')],
    ['a field was added', `${widget(ANN)}&last_name=Lee`],
    ['a field was taken away', widget(ANN).replace('username=ann&', '')],
    ['a field is there twice', `${widget(ANN)}&id=42`],
    ['its hash is missing', widget(ANN).replace(/&hash=.*/, '')],
    ['its hash is empty', widget(ANN).replace(/hash=.*/, 'hash=')],
    [
      'its hash is written in capitals',
      widget(ANN).replace(/hash=.*/, (hash) => `hash=${hash.slice(5).toUpperCase()}`),
    ],
    ['it names nobody', widget({ auth_date: AUTH_DATE })],
    ['its id is no number', widget({ ...ANN, id: '42a' })],
    ['its id is zero', widget({ ...ANN, id: '0' })],
    ['it has no time', widget({ id: '42' })],
    ['its time is no number', widget({ ...ANN, auth_date: 'now' })],
    ['its user is no JSON', miniApp({}).replace(/user=[^&]*/, 'user=42')],
    ['a widget login is shown as one of a mini app', `${widget(ANN)}&user=${encodeURIComponent('{"id":43}')}`],
    ['it is too long', `${widget(ANN)}&first_name=${'a'.repeat(4_096)}`],
    ['it is empty', ''],
  ])('is refused when %s', (_, text) => {
    expect(verified(text)).toBeNull();
  });

  it('is of nobody else when its name has lines that look like other fields', () => {
    const signed = new URLSearchParams(widget({ ...ANN, first_name: 'Ann\nid=43\nnote=' }));
    const forged = new URLSearchParams({ ...Object.fromEntries(signed), first_name: 'Ann', id: '43', note: '\nid=42' });
    expect(verified(forged.toString())).toBeNull();
  });

  it('is refused where no token is known, whoever signed it', () => {
    expect(verified(widget(ANN, ''), '')).toBeNull();
  });

  it('keeps no name that would change what is shown around it, and no photo without TLS', () => {
    const { account } = verified(widget({ ...ANN, first_name: 'A\u0007nn', photo_url: 'http://t.me/a.jpg' }))!;
    expect(account).toMatchObject({ firstName: null, photoUrl: null });
  });
});
