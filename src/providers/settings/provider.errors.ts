import { defineError } from '../../common/errors/index.js';

export const invalidProvider = defineError({
  code: 'invalid_provider',
  status: 422,
  message: 'A provider of this type cannot be set up like this.',
  hint: 'See payload.fields: each names what cannot be used and why.',
  cause:
    'A field belongs to another type of provider, has a form that its provider cannot use, or would have this service use credentials that it does not have.',
  fix: 'Leave out or correct the fields named in `payload.fields`. Nothing was written.',
});

export const tooManyProviders = defineError({
  code: 'too_many_providers',
  status: 422,
  message: 'The environment has as many providers as it may have.',
  hint: 'Delete a provider that is not needed.',
  cause: 'An environment may have 100 provider records.',
  fix: 'Delete records that are no longer needed.',
});

export const providerIncomplete = defineError({
  code: 'provider_incomplete',
  status: 422,
  message: 'The provider cannot be enabled yet.',
  hint: 'See payload.fields: each names what is missing or does not work.',
  cause:
    'The type of the provider needs fields or a secret that the record lacks, its configuration could not be discovered at its address, or nothing in this service calls providers of this type.',
  fix: 'Add everything that `payload.fields` names, then enable it again. An enabled provider stays complete: disable it to take something away.',
});

export const providerEnabledAlready = defineError({
  code: 'provider_enabled_already',
  status: 422,
  message: 'Another provider of this type is enabled.',
  hint: 'Disable the other one first.',
  cause: 'An environment has at most one enabled provider of each type.',
  fix: 'List the providers, disable the enabled one of this type, then enable this one.',
});

export const providerSecretNeeded = defineError({
  code: 'provider_secret_needed',
  status: 422,
  message: 'With this change the secret would go somewhere else.',
  hint: 'Send clientSecret together with the change.',
  cause:
    'The client id or the address of the provider changes. A secret that is kept belongs to those it was given for and is not sent to others.',
  fix: 'Send the secret of the new client as `clientSecret` in the same request; an empty text removes it.',
});
