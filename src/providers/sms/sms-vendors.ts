import type { ProviderConfiguration } from '../settings/provider.dto.js';
import { isSuccess, type FinalRefusal, type VendorMessage } from '../vendor-messages.js';

/** All that a vendor needs to send one message. */
export interface SmsParts {
  /** Overrides the vendor's base URL. */
  api: string | undefined;
  secret: string;
  configuration: Partial<ProviderConfiguration>;
  /** E.164. */
  to: string;
  text: string;
}

/**
 * The URL for sending messages.
 *
 * @param api overrides the default base URL
 * @param gateway the host of a gateway; null for an account with the vendor
 */
export const smsAddress = (api: string | undefined, gateway: string | null): string =>
  api ?? (gateway === null ? 'https://api.twilio.com' : `https://${gateway}`);

/**
 * https://www.twilio.com/docs/api/errors: not a number, opted out of messages, no mobile number, and a country switched
 * off in the account. Other codes may be due to the account or its sender, which a team can put right.
 */
const FINAL: ReadonlyMap<unknown, FinalRefusal> = new Map([
  [21211, 'recipient'],
  [21610, 'recipient'],
  [21614, 'recipient'],
  [21408, 'country'],
]);

/** https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource */
export function accountRequest({ api, secret, configuration, to, text }: SmsParts): VendorMessage {
  const { accountSid = '', smsSenderNumber = '' } = configuration;
  const credentials = Buffer.from(`${accountSid}:${secret}`).toString('base64');
  return {
    method: 'POST',
    url: `${smsAddress(api, null)}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
    headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ To: to, From: smsSenderNumber, Body: text }).toString(),
    isAccepted: ({ status }) => status === 201,
    finalRefusal: (answer) => FINAL.get(codeIn(answer.body)) ?? null,
  };
}

function codeIn(body: Buffer): unknown {
  try {
    return (JSON.parse(body.toString('utf8')) as { code?: unknown } | null)?.code;
  } catch {
    return undefined;
  }
}

/** A customer's own gateway: a JSON object with `to`, `from` and `text`, the secret as bearer token. Any 2xx is a yes. */
export function gatewayRequest({ api, secret, configuration, to, text }: SmsParts): VendorMessage {
  return {
    method: 'POST',
    url: smsAddress(api, configuration.domain ?? ''),
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to, from: configuration.smsSenderNumber, text }),
    isAccepted: isSuccess,
  };
}

/** The account with the vendor if there is one, else the gateway. */
export const smsRequest = (parts: SmsParts): VendorMessage =>
  parts.configuration.accountSid ? accountRequest(parts) : gatewayRequest(parts);
