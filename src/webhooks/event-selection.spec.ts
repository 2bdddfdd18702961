import { describe, expect, it } from '@jest/globals';
import { StringField } from '../common/fields/index.js';
import { defineEvent } from '../database/index.js';
import { selectEvents } from './event-selection.js';

class Sample {
  @StringField()
  id!: string;
}

defineEvent('sample.created', 'For this test.', { payload: Sample });
defineEvent('sample.hidden', 'For this test.', { payload: Sample, selectable: false });

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
