import type { OutboundRequest } from '../../outbound/index.js';
import type { ProviderConfiguration } from '../settings/provider.dto.js';

/** Everything a vendor needs to send one message. */
export interface SmsParts {
  /** An address in place of the vendor's own. */
  api: string | undefined;
  secret: string;
  configuration: Partial<ProviderConfiguration>;
  /** E.164. */
  to: string;
  text: string;
}

/**
 * Where messages go.
 *
 * @param api an address in place of the usual one
 * @param gateway the host of a gateway; null for an account at the vendor
 */
export const smsAddress = (api: string | undefined, gateway: string | null): string =>
  api ?? (gateway === null ? 'https://api.twilio.com' : `https://${gateway}`);

/** https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource */
export function accountRequest({ api, secret, configuration, to, text }: SmsParts): OutboundRequest {
  const { accountSid = '', smsSenderNumber = '' } = configuration;
  const credentials = Buffer.from(`${accountSid}:${secret}`).toString('base64');
  return {
    method: 'POST',
    url: `${smsAddress(api, null)}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
    headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ To: to, From: smsSenderNumber, Body: text }).toString(),
  };
}

/** A gateway of the customer's own: one JSON object with `to`, `from` and `text`, the secret as bearer token. */
export function gatewayRequest({ api, secret, configuration, to, text }: SmsParts): OutboundRequest {
  return {
    method: 'POST',
    url: smsAddress(api, configuration.domain ?? ''),
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to, from: configuration.smsSenderNumber, text }),
  };
}

/** An account at the vendor where there is one, else the gateway. */
export const smsRequest = (parts: SmsParts): OutboundRequest =>
  parts.configuration.accountSid ? accountRequest(parts) : gatewayRequest(parts);
