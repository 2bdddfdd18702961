import { describe, expect, it } from '@jest/globals';
import type { AttemptResult } from './attempt-result.js';
import { claimedMessage } from './claimed-message.fixture.js';
import { talliesOf } from './tally.js';

const message = claimedMessage();
const result = (outcome: AttemptResult['outcome'], timedOut = false, of = message): AttemptResult =>
  ({ message: of, outcome, timedOut }) as AttemptResult;

describe('the tally of a batch', () => {
  it('counts the timeouts since the last answer, whatever that was', () => {
    const hung = result('failed', true);
    expect(talliesOf([hung, hung])).toEqual([expect.objectContaining({ failures: 2, timeouts: 2, answered: false })]);
    expect(talliesOf([hung, result('failed'), hung])).toEqual([
      expect.objectContaining({ failures: 3, timeouts: 1, answered: true }),
    ]);
    expect(talliesOf([hung, result('delivered')])).toEqual([
      expect.objectContaining({ failures: 1, timeouts: 0, answered: true }),
    ]);
  });

  it('is one for each URL of a webhook, which may change while messages are on their way', () => {
    const moved = { ...message, url: 'https://example.com/new' };
    expect(talliesOf([result('failed', true), result('failed', false, moved)])).toMatchObject([
      { url: message.url, failures: 1, timeouts: 1, answered: false },
      { url: moved.url, failures: 1, timeouts: 0, answered: true },
    ]);
  });

  it('leaves out webhooks that have not failed', () => {
    expect(talliesOf([result('delivered'), result('gone', false, claimedMessage())])).toHaveLength(1);
  });
});
