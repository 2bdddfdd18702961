import { describe, expect, it } from '@jest/globals';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/index.js';
import type { EnvironmentId } from '../../database/index.js';
import type { VendorFigures } from '../../observability/index.js';
import { DevInboxMailer } from './dev-inbox-mailer.js';
import { DevInbox } from './dev-inbox.js';
import { chooseMailer } from './mailer.provider.js';
import { NoMailer } from './no-mailer.js';
import { SmtpMailer } from './smtp-mailer.js';

const PRODUCTION = {
  NODE_ENV: 'production',
  MASTER_KEY: 'x',
  DATABASE_URL: 'postgres://db/x',
  PUBLIC_URL: 'https://x',
};
const figures = {} as VendorFigures;
const inbox = (): DevInbox => new DevInbox(new Clock());

describe('the development inbox', () => {
  it('keeps the newest 200 messages, newest first', async () => {
    const kept = inbox();
    const mailer = new DevInboxMailer(kept);
    for (let at = 1; at <= 205; at++) {
      await mailer.send({
        environmentId: 'e' as EnvironmentId,
        to: 'a@b.example',
        subject: `${at}`,
        text: 't',
        code: '1',
      });
    }
    expect(kept.entries).toHaveLength(200);
    expect(kept.entries[0]).toMatchObject({ subject: '205', to: 'a@b.example', channel: 'email', code: '1' });
    expect(kept.entries[199]?.subject).toBe('6');
  });
});

describe('the mailer', () => {
  it('is the inbox where no server is configured', () => {
    expect(chooseMailer(Config.load({}), inbox(), figures)).toBeInstanceOf(DevInboxMailer);
  });

  it('is SMTP where one is, in production too', () => {
    const mailers = [{}, PRODUCTION].map((base) =>
      chooseMailer(Config.load({ ...base, SMTP_URL: 'smtp://127.0.0.1:1' }), inbox(), figures),
    );
    for (const mailer of mailers) {
      expect(mailer).toBeInstanceOf(SmtpMailer);
      (mailer as SmtpMailer).onApplicationShutdown();
    }
  });

  it('refuses with 503 in production without a server, and never keeps a code', async () => {
    const kept = inbox();
    const mailer = chooseMailer(Config.load(PRODUCTION), kept, figures);
    expect(mailer).toBeInstanceOf(NoMailer);
    const message = { environmentId: 'e' as EnvironmentId, to: 'a@b.example', subject: 's', text: 't', code: '1' };
    await expect(mailer.send(message)).rejects.toMatchObject({ status: 503, code: 'mail_unavailable' });
    expect(kept.entries).toHaveLength(0);
  });
});
