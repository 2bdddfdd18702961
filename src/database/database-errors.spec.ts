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

  it('of a statement alone is none that a client can wait for', () => {
    expect(translateDatabaseError(errorOf('cache lookup failed', 'XX000', 'ERROR'))).toBeNull();
    expect(translateDatabaseError(errorOf('syntax error', '42601', 'ERROR'))).toBeNull();
  });
});
