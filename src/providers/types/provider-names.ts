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

/** All possible origins of a credential and sign-in methods. */
export const PROVIDER_KINDS = defineEnum('ProviderEnum', [
  ...CREATABLE,
  'cryptoDotCom',
  'dynamic',
  ...MORE,
  ...(['zksync', 'kraken', 'blockaid', 'passkey', 'okta', 'sendgrid', 'resend'] as const),
]);
export type ProviderKind = EnumValue<typeof PROVIDER_KINDS>;

/** Providers that can be created by name in the body; the others are named in the path. */
export const CREATABLE_PROVIDERS = defineEnum('ProviderCreateEnum', [...CREATABLE, 'dynamic', ...MORE]);

/** Providers that have their own type here. */
export type ProviderName =
  EnumValue<typeof CREATABLE_PROVIDERS> | 'cryptoDotCom' | 'kraken' | 'okta' | 'sendgrid' | 'resend';
