import { describe, expect, it } from '@jest/globals';
import { eventRegistry } from '../../src/database/index.js';
import { eventsSuite } from '../support/suites/events.js';
import { service } from '../support/suites/installation.js';

describe('the service', () => {
  const { events, operations } = service();
  eventsSuite(service());

  it('documents its events as they are registered', () => {
    expect([...events].sort()).toEqual(eventRegistry().map(({ name }) => name));
  });

  it('documents events at operations under names that exist', () => {
    expect(operations.flatMap((operation) => operation.events).filter((name) => !events.includes(name))).toEqual([]);
  });
});
