import { describe, expect, it } from '@jest/globals';
import { eventRegistry } from '../../src/database/index.js';
import { EVENTS_OF_SUITES } from '../support/names-of-suites.js';
import { eventsSuite } from '../support/suites/events.js';
import { service } from '../support/suites/installation.js';

describe('the service', () => {
  const { events, operations } = service();
  eventsSuite(service());

  it('documents its events as they are registered', () => {
    const registered = eventRegistry().map(({ name }) => name);
    expect([...events].sort()).toEqual(registered.filter((name) => !EVENTS_OF_SUITES.has(name)));
  });

  it('documents events at operations under names that exist', () => {
    expect(operations.flatMap((operation) => operation.events).filter((name) => !events.includes(name))).toEqual([]);
  });
});
