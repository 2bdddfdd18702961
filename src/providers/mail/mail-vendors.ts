import type { OutboundRequest } from '../../outbound/index.js';
import type { ProviderConfiguration } from '../settings/provider.dto.js';
import { isSuccess, type VendorMessage } from '../vendor-messages.js';
import type { Mail } from './mailer.js';

/** Builds a vendor's API request for an email. */
export interface MailVendor {
  name: 'sendgrid' | 'resend';
  api: string;
  request(parts: {
    api: string;
    secret: string;
    configuration: Partial<ProviderConfiguration>;
    mail: Mail;
  }): VendorMessage;
}

const json = (url: string, secret: string, body: object): OutboundRequest => ({
  method: 'POST',
  url,
  headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const senderOf = ({ domain = '' }: Partial<ProviderConfiguration>): string => `no-reply@${domain}`;

/** https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send. Click and open tracking are disabled. */
const sendgrid: MailVendor = {
  name: 'sendgrid',
  api: 'https://api.sendgrid.com',
  request: ({ api, secret, configuration, mail: { to, subject, text, html } }) => ({
    ...json(`${api}/v3/mail/send`, secret, {
      personalizations: [{ to: [{ email: to }] }],
      from: { email: senderOf(configuration) },
      subject,
      content: [{ type: 'text/plain', value: text }, ...(html ? [{ type: 'text/html', value: html }] : [])],
      tracking_settings: { click_tracking: { enable: false }, open_tracking: { enable: false } },
      ...(configuration.emailIpPoolName && { ip_pool_name: configuration.emailIpPoolName }),
    }),
    isAccepted: ({ status }) => status === 202,
  }),
};

/** https://resend.com/docs/api-reference/emails/send-email */
const resend: MailVendor = {
  name: 'resend',
  api: 'https://api.resend.com',
  request: ({ api, secret, configuration, mail: { to, subject, text, html } }) => ({
    ...json(`${api}/emails`, secret, { from: senderOf(configuration), to: [to], subject, text, ...(html && { html }) }),
    // Only its body tells a yes from a page with the same status.
    isAccepted: (answer) => isSuccess(answer) && /"id"\s*:\s*"/.test(answer.body.toString('utf8')),
  }),
};

/** In order of precedence. */
export const MAIL_VENDORS: readonly MailVendor[] = [sendgrid, resend];
