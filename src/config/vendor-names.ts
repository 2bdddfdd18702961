/**
 * Everything that `PROVIDER_ADDRESSES` can give another address. The contexts that ask the vendors are above this one and
 * not there yet when settings are read; `test/vendors.spec.ts` compares the list with what they look up.
 */
export const VENDOR_NAMES = [
  ...(['apple', 'banxa', 'bitbucket', 'blockaid', 'coinbase', 'coinbaseCurrencies'] as const),
  ...(['coinbaseOnramp', 'coinbasesocial', 'coingecko', 'cryptoDotCom', 'discord', 'ecb'] as const),
  ...(['epicgames', 'ethereum', 'facebook', 'github', 'gitlab', 'google'] as const),
  ...(['hcaptcha', 'instagram', 'kraken', 'line', 'linkedin', 'microsoft'] as const),
  ...(['okta', 'recaptcha', 'resend', 'sanctions', 'sendgrid', 'shopify'] as const),
  ...(['sms', 'spotify', 'steam', 'telegram', 'tiktok', 'turnstile'] as const),
  ...(['twitch', 'twitter'] as const),
] as const;

export const isVendorName = (name: string): boolean => (VENDOR_NAMES as readonly string[]).includes(name);
