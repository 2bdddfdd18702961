import { defineError } from '../../common/errors/index.js';

export const invalidProvider = defineError({
  code: 'invalid_provider',
  status: 422,
  message: 'The configuration of this provider is not valid.',
  hint: 'See payload.fields: each entry names a field and what is wrong with it.',
  cause:
    'A field belongs to another type of provider, has a format that the provider cannot use, or refers to credentials that this service does not have.',
  fix: 'Omit or correct the fields named in `payload.fields`. Nothing was written.',
});

export const tooManyProviders = defineError({
  code: 'too_many_providers',
  status: 422,
  message: 'The environment has reached the limit of providers.',
  hint: 'Delete a provider that is not needed.',
  cause: 'An environment may have 100 provider records.',
  fix: 'Delete records that are no longer needed.',
});

export const providerIncomplete = defineError({
  code: 'provider_incomplete',
  status: 422,
  message: 'The provider cannot be enabled yet.',
  hint: 'See payload.fields: each entry names what is missing or does not work.',
  cause:
    'The record lacks fields or a secret that this type of provider needs, the provider’s configuration could not be discovered, or this service does not use providers of this type.',
  fix: 'Add everything named in `payload.fields`, then enable it again. An enabled provider must stay complete: disable it before you remove something.',
});

export const providerEnabledAlready = defineError({
  code: 'provider_enabled_already',
  status: 422,
  message: 'Another provider of this type is enabled.',
  hint: 'Disable the other one first.',
  cause: 'An environment has at most one enabled provider of each type.',
  fix: 'List the providers, disable the enabled one of this type, then enable this one.',
});

export const providerNeeded = defineError({
  code: 'provider_needed',
  status: 422,
  message: 'The environment requires a contact that is verified with codes of this provider.',
  hint: 'Stop requiring the contacts named in payload.fields, or their verification, then repeat the call.',
  cause:
    'The settings require an `email` or a `phoneNumber` with `verify`. Without the provider that sends the codes, users who have not verified it could never complete their session.',
  fix: 'Turn off `required` or `verify` of the fields in `kyc` that `payload.fields` names, then turn the provider off. Nothing was written.',
});

export const providerSecretNeeded = defineError({
  code: 'provider_secret_needed',
  status: 422,
  message: 'This change would send the stored secret to another party.',
  hint: 'Send clientSecret together with the change.',
  cause:
    'The client id or the address of the provider changes. A stored secret is only used for the client and address that it was given for.',
  fix: 'Send the secret of the new client as `clientSecret` in the same request; an empty text removes it.',
});
