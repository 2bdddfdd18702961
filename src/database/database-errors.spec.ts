import { describe, expect, it } from '@jest/globals';
import { translateDatabaseError } from './database-errors.js';

const errorOf = (message: string, code: string, severity: string): Error =>
  Object.assign(new Error(message), { code, severity });

describe('an error of PostgreSQL', () => {
  it.each([
    ['could not write init file', 'XX000', 'FATAL'],
    ['password authentication failed for user "gatehouse"', '28P01', 'FATAL'],
    ['database "gatehouse" does not exist', '3D000', 'FATAL'],
    ['Password-Authentifizierung für Benutzer »gatehouse« fehlgeschlagen', '28P01', 'SCHWERWIEGEND'],
    ['Datenbank »gatehouse« existiert nicht', '3D000', 'SCHWERWIEGEND'],
    ['could not locate a valid checkpoint record', 'XX000', 'PANIC'],
    ['could not extend file "base/1/2": No space left on device', '53100', 'ERROR'],
  ])('that ends the session or shows an outage is answered 503: %s', (message, code, severity) => {
    expect(translateDatabaseError(errorOf(message, code, severity))).toMatchObject({
      status: 503,
      details: { retryAfterSeconds: 2 },
    });
  });

  it.each([
    ['connect ENOENT /run/postgresql/.s.PGSQL.5432', 'ENOENT', 'connect'],
    ['connect EAGAIN /run/postgresql/.s.PGSQL.5432', 'EAGAIN', 'connect'],
    ['connect EMFILE 10.0.0.1:5432', 'EMFILE', 'connect'],
    ['getaddrinfo EAI_FAIL database', 'EAI_FAIL', 'getaddrinfo'],
  ])('that kept the server from being reached is answered 503: %s', (message, code, syscall) => {
    const error = Object.assign(new Error(message), { code, syscall });
    expect(translateDatabaseError(error)).toMatchObject({ status: 503 });
  });

  it('of a statement alone is none that a client can wait for', () => {
    expect(translateDatabaseError(errorOf('cache lookup failed', 'XX000', 'ERROR'))).toBeNull();
    expect(translateDatabaseError(errorOf('syntax error', '42601', 'ERROR'))).toBeNull();
  });
});
