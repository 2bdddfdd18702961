import { defineError } from '../../common/errors/index.js';

export const invalidDeeplinkUrl = defineError({
  code: 'invalid_mobile_deeplink_urls',
  status: 422,
  message: 'Sign-in cannot return to this address.',
  hint: 'Use scheme://host/path with the scheme of the application, or an https address of yours.',
  cause:
    'The scheme runs code or opens files (`javascript`, `data`, `file`), the address has characters that need escapes, or a wildcard on the web would admit sites of strangers.',
  fix: 'Register the address that the application handles, whole and without a fragment: one with a wildcard admits no return address.',
});

export const tooManyDeeplinkUrls = defineError({
  code: 'too_many_deeplink_urls',
  status: 422,
  message: 'The environment has as many deeplink addresses as it may have.',
  hint: 'Delete an address that is no longer used.',
  cause: 'An environment may have 100 deeplink addresses.',
  fix: 'Delete addresses that are no longer used.',
});
