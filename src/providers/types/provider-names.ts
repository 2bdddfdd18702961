import { defineEnum, type EnumValue } from '../../common/fields/index.js';

const CREATABLE = [
  ...(['emailOnly', 'magicLink', 'apple', 'bitbucket', 'coinbasesocial', 'discord', 'epicgames'] as const),
  ...(['facebook', 'farcaster', 'github', 'gitlab', 'google', 'instagram', 'linkedin', 'microsoft'] as const),
  ...(['twitch', 'twitter', 'blocto', 'banxa', 'coinbaseOnramp'] as const),
] as const;
const MORE = [
  ...(['alchemy', 'zerodev', 'telegram', 'turnkey', 'coinbaseWaas', 'sms', 'spotify', 'tiktok'] as const),
  ...(['line', 'steam', 'shopify'] as const),
] as const;

/** Everything a credential may come from or a sign-in may go through, in the widest form. */
export const PROVIDER_KINDS = defineEnum('ProviderEnum', [
  ...CREATABLE,
  'cryptoDotCom',
  'dynamic',
  ...MORE,
  ...(['zksync', 'kraken', 'blockaid', 'passkey', 'okta', 'sendgrid', 'resend'] as const),
]);
export type ProviderKind = EnumValue<typeof PROVIDER_KINDS>;

/** What a record may be made of by its name in the body; the others are named in the path. */
export const CREATABLE_PROVIDERS = defineEnum('ProviderCreateEnum', [...CREATABLE, 'dynamic', ...MORE]);

/** Those with a type of their own here. */
export type ProviderName =
  EnumValue<typeof CREATABLE_PROVIDERS> | 'cryptoDotCom' | 'kraken' | 'okta' | 'sendgrid' | 'resend';
