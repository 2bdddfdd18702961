import { describe, expect, it } from '@jest/globals';
import { isAbout, splitEventName } from './event-name.js';

describe('the name of an event', () => {
  it.each([
    ['user.created', { resourceType: 'user', eventAction: 'created' }],
    ['user.session.created', { resourceType: 'user.session', eventAction: 'created' }],
    ['ping', { resourceType: 'ping' }],
  ])('%s tells what and to what it happened', (name, parts) => {
    expect(splitEventName(name)).toEqual(parts);
  });

  it.each([
    ['user.created', 'user', true],
    ['user.session.created', 'user', true],
    ['user.session.created', 'user.session', true],
    ['user.created', 'user.session', false],
    ['username.changed', 'user', false],
    ['user.created', 'user.created', false],
    ['ping', 'ping', true],
  ])('%s is about %s: %s', (name, type, expected) => {
    expect(isAbout(name, type)).toBe(expected);
  });
});
