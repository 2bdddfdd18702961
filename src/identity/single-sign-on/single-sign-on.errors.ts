import { defineError } from '../../common/errors/index.js';

export const singleSignOnRequired = defineError({
  code: 'single_sign_on_required',
  status: 422,
  message: 'Owners of this address sign in at the provider of their organization.',
  hint: 'Begin with initAuth at payload.provider, with payload.ssoProviderId.',
  cause:
    'The organization has proven the domain of the address and lets its people in by single sign-on alone (`enforceOnlySSO`). Codes are not sent to the address, and no other way in is open to whoever has proven it.',
  fix: 'Sign in at the provider that the payload names. When it is out of order, an operator lets a member in by `cli members link`, and an admin who came in by it sets `enforceOnlySSO` to false within five minutes.',
});

export const addressHeldToSingleSignOn = defineError({
  code: 'address_held_to_single_sign_on',
  status: 422,
  message: 'This address is how the organization of the person holds them to its provider. It stays with the account.',
  hint: 'The organization that `payload.emailDomain` belongs to has to let go first.',
  cause:
    'It is the only address of the account in a domain whose organization lets its people in by single sign-on alone (`enforceOnlySSO`). Without it the account would be open to every other credential that it has.',
  fix: 'Sign in at the provider with another address of the domain first, or let an admin of the organization set `enforceOnlySSO` to false.',
});
