import { defineError } from '../../common/errors/index.js';

export const singleSignOnRequired = defineError({
  code: 'single_sign_on_required',
  status: 422,
  message: 'Users with this address sign in at their organization’s identity provider.',
  hint: 'Call initAuth for payload.provider, with payload.ssoProviderId.',
  cause:
    'The organization has proven the domain of the address and enforces single sign-on (`enforceOnlySSO`). Codes are not sent to the address, and anyone who has proven it cannot sign in any other way.',
  fix: 'Sign in at the provider named in the payload. If it is down, an operator can let a member in with `npm run cli -- members link`, and an admin who signed in that way can set `enforceOnlySSO` to false within five minutes.',
});

export const addressHeldToSingleSignOn = defineError({
  code: 'address_held_to_single_sign_on',
  status: 422,
  message: 'This address cannot be unlinked, because the organization enforces single sign-on for it.',
  hint: 'The organization that owns `payload.emailDomain` has to stop enforcing single sign-on first.',
  cause:
    'It is the account’s only address in a domain whose organization enforces single sign-on (`enforceOnlySSO`). Without it, every other credential of the account could be used to sign in.',
  fix: 'Sign in at the provider with another address of the domain first, or have an admin of the organization set `enforceOnlySSO` to false.',
});
