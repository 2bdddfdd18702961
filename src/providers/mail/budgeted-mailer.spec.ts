import { describe, expect, it } from '@jest/globals';
import type { EnvironmentId } from '../../database/index.js';
import { BudgetedMailer } from './budgeted-mailer.js';
import type { Mail } from './mailer.js';

const MAIL: Mail = { environmentId: 'e' as EnvironmentId, to: 'ada@example.com', subject: 's', text: 't' };

describe('the mails of a deployment', () => {
  it('are as many as it may send in an hour, and then none until the hour is over', async () => {
    const sent: string[] = [];
    let taken = 0;
    const budget = { take: async (perHour: number) => ((taken += 1) > perHour ? 120 : null) };
    const mailer = new BudgetedMailer({ send: async ({ to }) => void sent.push(to) }, budget, 3);
    for (let n = 0; n < 3; n += 1) await mailer.send(MAIL);
    await expect(mailer.send(MAIL)).rejects.toMatchObject({
      status: 429,
      code: 'mail_budget_used_up',
      details: { retryAfterSeconds: 120 },
    });
    expect(sent).toHaveLength(3);
  });
});
