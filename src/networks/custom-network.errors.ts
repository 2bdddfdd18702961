import { defineError } from '../common/errors/index.js';

export const networkUrlRefused = defineError({
  code: 'network_url_refused',
  status: 400,
  message: 'One of these network addresses is not allowed.',
  hint: 'See payload.fields. Use https:// with a public host name, on port 443 or 8443, without user name, password or fragment.',
  cause:
    'An address is malformed, not https, names a private host or an IP address, or uses a port that is not allowed.',
  fix: 'Use public https addresses. Operators can allow private hosts, such as a node on the same machine, with `EGRESS_ALLOW`.',
});

export const fractionalDecimals = defineError({
  code: 'fractional_decimals',
  status: 400,
  message: 'The decimals of a currency must be a whole number.',
  hint: 'Send nativeCurrencyDecimals as a whole number from 0 to 18.',
  cause: '`nativeCurrencyDecimals` is a number of digits and cannot be fractional.',
  fix: 'Send the number of decimal places of the currency, such as 18 for ether.',
});

export const tooManyCustomNetworks = defineError({
  code: 'too_many_custom_networks',
  status: 422,
  message: 'The organization has reached the limit of custom networks.',
  hint: 'Delete a custom network first.',
  cause: 'An organization may have 100 custom networks.',
  fix: 'Delete custom networks that no environment uses any more.',
});
