import { describe, expect, it } from '@jest/globals';
import { defineEvent } from '../database/index.js';
import { selectEvents } from './event-selection.js';

defineEvent('sample.created', 'For this test.');
defineEvent('sample.hidden', 'For this test.', { selectable: false });

describe('the events of a webhook', () => {
  it('are each kept once, in the order given', () => {
    expect(selectEvents(['sample.created', 'sample.created'])).toEqual(['sample.created']);
    expect(selectEvents([])).toEqual([]);
  });

  it.each(['sample.unheard', 'sample.hidden', 'sample', ''])('cannot be %s', (name) => {
    expect(() => selectEvents(['sample.created', name])).toThrow(
      expect.objectContaining({
        code: 'unknown_event',
        details: expect.objectContaining({ payload: { unknown: [name] } }),
      }),
    );
  });
});
