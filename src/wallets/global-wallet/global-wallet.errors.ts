import { defineError } from '../../common/errors/index.js';

export const invalidGlobalWalletSettings = defineError({
  code: 'invalid_global_wallet_settings',
  status: 422,
  message: 'The appearance of the global wallet is not valid.',
  hint: 'See payload.additionalMessages: each names a field and what is wrong with it.',
  cause:
    'An address is not https, contains credentials or unsafe characters, or points to the wrong kind of file; or a text contains HTML, an image, a character reference or invisible characters.',
  fix: 'Correct what `payload.additionalMessages` names. Nothing was written.',
});

export const invalidGlobalWalletDomain = defineError({
  code: 'invalid_global_wallet_domain',
  status: 422,
  message: 'This site cannot be added to the access control.',
  hint: 'Use https://host or https://host:port, or https://*.domain for one label below a domain of one owner.',
  cause:
    'The text is not an origin that a browser sends, is plain http (allowed only for localhost in a sandbox), or its wildcard would stand for sites of strangers (`https://*.com`, `https://*.vercel.app`).',
  fix: 'Name the scheme, host and port of the site as the address bar shows them, without a path. Name sites below shared hosting one by one.',
});

export const tooManyGlobalWalletDomains = defineError({
  code: 'too_many_global_wallet_domains',
  status: 422,
  message: 'The access control has reached the limit of sites.',
  hint: 'Delete a site, or use a wildcard for several names below one domain.',
  cause: 'The access control of a global wallet may name 100 sites.',
  fix: 'Delete sites that are no longer needed; `https://*.example.com` stands for every name right below the domain.',
});
