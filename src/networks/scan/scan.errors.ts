import { defineError } from '../../common/errors/index.js';

export const notAWebAddress = defineError({
  code: 'not_a_web_address',
  status: 400,
  message: 'This is not a web address.',
  hint: 'Send an address that begins with http:// or https:// and names a host.',
  cause: 'The text is not a URL, or has another scheme.',
  fix: 'Send the whole address as the browser shows it.',
});

export const scannerNotConfigured = defineError({
  code: 'scanner_not_configured',
  status: 422,
  message: 'The deployment has no source for scanning sites.',
  hint: 'Operators: set SCAN_BLOCK_LISTS and SCAN_ALLOW_LISTS, or BLOCKAID_API_KEY.',
  cause: 'Neither lists of sites nor a scanning service are configured, so any verdict would be made up.',
  fix: 'Set `SCAN_BLOCK_LISTS` and `SCAN_ALLOW_LISTS` to files or addresses of lists, or `BLOCKAID_API_KEY`, and start the service again.',
});
