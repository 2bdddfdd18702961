import { describe, expect, it } from '@jest/globals';
import type { EnvironmentId } from '../../database/index.js';
import { BudgetedMailer } from './budgeted-mailer.js';
import { mailUnavailable } from '../providers.errors.js';
import type { Mail } from './mailer.js';
import { isSurelyUnsent, NothingLeft } from './unsent-mail.js';

const MAIL: Mail = { environmentId: 'e' as EnvironmentId, to: 'ada@example.com', subject: 's', text: 't' };

describe('the mails of a deployment', () => {
  it('are as many as it may send in an hour, and then none until the hour is over', async () => {
    const sent: string[] = [];
    let taken = 0;
    const take = async (perHour: number): Promise<number | null> => ((taken += 1) > perHour ? 120 : null);
    const budget = { take, giveBack: async () => void (taken -= 1) };
    const mailer = new BudgetedMailer({ send: async ({ to }) => void sent.push(to) }, budget, 3);
    for (let n = 0; n < 3; n += 1) await mailer.send(MAIL);
    await expect(mailer.send(MAIL)).rejects.toMatchObject({
      status: 429,
      code: 'mail_budget_used_up',
      details: { retryAfterSeconds: 120 },
    });
    expect(sent).toHaveLength(3);
  });

  it.each([
    ['give back what certainly was not sent', new NothingLeft(), 1],
    ['count what may have been sent', undefined, 0],
  ])('%s', async (_name, cause, expected) => {
    let returned = 0;
    const lost = mailUnavailable({ retryAfterSeconds: 30, cause });
    const budget = { take: async () => null, giveBack: async () => void (returned += 1) };
    const mailer = new BudgetedMailer({ send: () => Promise.reject(lost) }, budget, 3);
    await expect(mailer.send(MAIL)).rejects.toBe(lost);
    expect(returned).toBe(expected);
  });

  it('are certainly not sent beyond the limit, and nothing is given back for them', async () => {
    let returned = 0;
    const budget = { take: async () => 120, giveBack: async () => void (returned += 1) };
    const refused = await new BudgetedMailer({ send: async () => undefined }, budget, 3).send(MAIL).catch((e) => e);
    expect([isSurelyUnsent(refused), returned]).toEqual([true, 0]);
  });
});
