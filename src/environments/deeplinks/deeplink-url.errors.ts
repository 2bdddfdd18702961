import { defineError } from '../../common/errors/index.js';

export const invalidDeeplinkUrl = defineError({
  code: 'invalid_mobile_deeplink_urls',
  status: 422,
  message: 'Sign-in cannot return to this address.',
  hint: 'Use scheme://host/path with the scheme of the application, or one of your own https addresses.',
  cause:
    'The scheme runs code or opens files (`javascript`, `data`, `file`), the address has characters that must be escaped or is plain http on another host than localhost, or a web wildcard would admit other people’s sites.',
  fix: 'Register the address that the application handles, without a fragment. An address with a wildcard is no return address.',
});

export const tooManyDeeplinkUrls = defineError({
  code: 'too_many_deeplink_urls',
  status: 422,
  message: 'The environment has reached the limit of deeplink addresses.',
  hint: 'Delete an address that is no longer used.',
  cause: 'An environment may have 100 deeplink addresses.',
  fix: 'Delete addresses that are no longer used.',
});
