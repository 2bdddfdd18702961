import { describe, expect, it } from '@jest/globals';
import { assertComplete, isReservedScope, PARTIAL_SCOPES } from './assurance.js';

describe('a session', () => {
  it('that is complete goes everywhere', () => {
    expect(() => assertComplete(['user:basic', 'vip'])).not.toThrow();
    expect(() => assertComplete(['user:basic'], { admits: ['userDataForm'] })).not.toThrow();
  });

  it.each(PARTIAL_SCOPES)('with %s goes where that is named, and nowhere else', (scope) => {
    expect(() => assertComplete([scope], { admits: [scope] })).not.toThrow();
    const others = PARTIAL_SCOPES.filter((other) => other !== scope);
    const refused = expect.objectContaining({ status: 403, code: 'session_incomplete' });
    expect(() => assertComplete([scope], { admits: others })).toThrow(refused);
    expect(() => assertComplete([scope, 'user:basic'])).toThrow(refused);
    expect(() => assertComplete([scope], { documents403: false })).toThrow(expect.objectContaining({ status: 401 }));
  });

  it('that lacks a second factor is told what to do, with a factor and without one', () => {
    const hint = expect.stringMatching(/Give the second factor.*has none registers one.*refreshAuth/);
    expect(() => assertComplete(['requiresAdditionalAuth'])).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ hint }) }),
    );
  });

  it.each(PARTIAL_SCOPES)('with %s is told what to do, also where no 403 is documented', (scope) => {
    const said: { status: number; details: { hint?: string } }[] = [];
    for (const documents403 of [true, false]) {
      try {
        assertComplete([scope], { documents403 });
      } catch (error) {
        said.push(error as (typeof said)[number]);
      }
    }
    expect(said.map(({ status }) => status)).toEqual([403, 401]);
    expect(said[1]!.details.hint).toBe(said[0]!.details.hint);
    expect(said[1]!.details.hint).toMatch(/token/);
  });

  it.each([[[]], [['vip']]])('with the scopes %j alone is none of both', (scopes) => {
    expect(() => assertComplete(scopes, { admits: PARTIAL_SCOPES })).toThrow(expect.objectContaining({ status: 403 }));
  });
});

describe('a scope', () => {
  it.each([
    'user:basic',
    'userDataForm',
    'device:register',
    'requiresAdditionalAuth',
    'requiresAnything',
    'waasBackupToken',
  ])('%s is for the service alone', (scope) => expect(isReservedScope(scope)).toBe(true));

  it.each(['vip', 'user:basics', 'beta:requires'])('%s may come from a rule', (scope) =>
    expect(isReservedScope(scope)).toBe(false),
  );
});
