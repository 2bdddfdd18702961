import type { ConfigurationField } from '../settings/provider.dto.js';
import { isApiKeySecret } from './api-key-secret.js';
import { defineProviderType, type ProviderType } from './provider-type.js';

/** Codes by the deployment's mailer: no setup needed. */
const emailOnly = defineProviderType({ name: 'emailOnly', serves: 'email' });

/** https://www.twilio.com/docs/sms/api/message-resource. With `domain`, a plain HTTP gateway at that host instead. */
const sms = defineProviderType({
  name: 'sms',
  serves: 'sms',
  required: ['smsSenderNumber', 'enabledCountries'],
  optional: ['accountSid', 'domain'],
  oneOf: ['accountSid', 'domain'],
  secret: 'required',
  publicFields: ['enabledCountries'],
  destination: ['accountSid', 'domain'],
});

/** https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send; `domain` is the sender's domain. */
const sendgrid = defineProviderType({
  name: 'sendgrid',
  serves: 'email',
  required: ['domain'],
  optional: ['emailIpPoolName'],
  secret: 'required',
});

/** https://resend.com/docs/api-reference/emails/send-email */
const resend = defineProviderType({ name: 'resend', serves: 'email', required: ['domain'], secret: 'required' });

const ACCOUNT: readonly ConfigurationField[] = ['clientId', 'providerProjectId', 'scopes', 'keyExportUrl'];
const SMART_ACCOUNT: readonly ConfigurationField[] = [
  ...(['defaultChainId', 'defaultChain', 'entryPointVersion', 'kernelVersion', 'factoryAddress'] as const),
  ...(['paymasterAddress', 'passkeyAddress', 'sessionAddress', 'multichainAccountAbstractionProviders'] as const),
  ...(['ecdsaProviderType', 'enableKernelV3Migration', 'enableEIP7702', 'aaBundlerProvider'] as const),
  ...(['aaBundlerRpcUrl', 'aaPaymasterRpcUrl', 'aaKernelDelegationAddress'] as const),
];

/** https://docs.cdp.coinbase.com/get-started/authentication/jwt-authentication: `clientId` is the secret key's id. */
const coinbaseOnramp = defineProviderType({
  name: 'coinbaseOnramp',
  serves: 'ramp',
  required: ['clientId'],
  optional: ['returnUrl'],
  secret: 'required',
  destination: ['clientId'],
  isSecret: isApiKeySecret,
  secretForm: 'must be the secret of an API key: 64 bytes of Ed25519 in base64, or a P-256 key in PEM',
});

/** https://docs.banxa.com/docs/step-3-authentication; `domain` is the host that the vendor assigns to each partner. */
const banxa = defineProviderType({
  name: 'banxa',
  serves: 'ramp',
  required: ['clientId', 'domain'],
  optional: ['returnUrl'],
  secret: 'required',
  destination: ['clientId', 'domain'],
});

/** https://pay-docs.crypto.com: needs only the merchant's secret key. */
const cryptoDotCom = defineProviderType({
  name: 'cryptoDotCom',
  serves: 'ramp',
  optional: ['returnUrl', 'cancelUrl'],
  secret: 'required',
});

/** Stored for future use; cannot be enabled, since nothing here would act on it. */
const recorded = (name: ProviderType['name'], optional: readonly ConfigurationField[]): ProviderType =>
  defineProviderType({ name, serves: null, optional, secret: 'optional', destination: ['clientId'] });

export const SERVICE_TYPES: readonly ProviderType[] = [
  emailOnly,
  sms,
  sendgrid,
  resend,
  recorded('magicLink', ACCOUNT),
  recorded('blocto', ACCOUNT),
  recorded('dynamic', ACCOUNT),
  recorded('turnkey', ACCOUNT),
  recorded('coinbaseWaas', ACCOUNT),
  banxa,
  coinbaseOnramp,
  cryptoDotCom,
  recorded('alchemy', [...ACCOUNT, ...SMART_ACCOUNT]),
  recorded('zerodev', [...ACCOUNT, ...SMART_ACCOUNT]),
];
