import { defineError } from '../../common/errors/index.js';

export const singleSignOnRequired = defineError({
  code: 'single_sign_on_required',
  status: 422,
  message: 'Owners of this address sign in at the provider of their organization.',
  hint: 'Begin with initAuth at payload.provider, with payload.ssoProviderId.',
  cause:
    'The organization has proven the domain of the address and lets its people in by single sign-on alone (`enforceOnlySSO`). Codes are not sent to the address, and no other way in is open to whoever has proven it.',
  fix: 'Sign in at the provider that the payload names. When it is out of order, an operator lets a member in by `cli members link`, or an admin with a token sets `enforceOnlySSO` to false.',
});
