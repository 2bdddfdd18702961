import { describe, expect, it } from '@jest/globals';
import { clearedCookie, cookieName, readSessionCookie, sessionCookie } from './session-cookie.js';

const ENVIRONMENT = '018f0000-0000-7000-8000-00000000000e';
const NAME = `__Host-gatehouse-${ENVIRONMENT}`;

describe('the session cookie', () => {
  it('is bound to this host, to https and to no script', () => {
    expect(sessionCookie(ENVIRONMENT, 'a.b.c', new Date('2026-01-01T00:15:00Z'))).toBe(
      `${NAME}=a.b.c; Path=/; Secure; HttpOnly; SameSite=Lax; Expires=Thu, 01 Jan 2026 00:15:00 GMT`,
    );
  });

  it('is never longer than browsers keep', () => {
    expect(() => sessionCookie(ENVIRONMENT, 'x'.repeat(4_096), new Date(0))).toThrow('4096');
  });

  it('is removed by a cookie of the same name and attributes', () => {
    expect(clearedCookie(ENVIRONMENT)).toBe(`${NAME}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0`);
  });

  it.each([
    ['alone', `${NAME}=a.b.c`, 'a.b.c'],
    ['among others', `x=1; ${NAME}=a.b.c; y=2`, 'a.b.c'],
    ['of another environment', `${cookieName('018f0000-0000-7000-8000-00000000000f')}=a.b.c`, null],
    ['twice, which a sibling domain could cause', `${NAME}=a.b.c; ${NAME}=d.e.f`, null],
    ['empty', `${NAME}=`, null],
    ['as the end of another name', `x${NAME}=a.b.c`, null],
    ['not there', undefined, null],
  ])('is read when it is %s: %p', (_name, header, token) => {
    expect(readSessionCookie(header, ENVIRONMENT)).toBe(token);
  });
});
