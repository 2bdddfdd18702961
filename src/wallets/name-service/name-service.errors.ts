import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const nameServiceNotSupported = defineError({
  code: 'name_service_not_supported',
  status: 422,
  message: 'Names are not supported on this chain.',
  hint: 'Use EVM.',
  cause: 'The service cannot determine who owns a domain on this chain.',
  fix: 'Set up names on EVM, which use the ENS registry on Ethereum.',
});

export const invalidDomain = defineError({
  code: 'invalid_domain',
  status: 422,
  message: 'The domain or address is not valid.',
  hint: 'A domain has at least two labels of a-z, 0-9 and hyphens; the address is an EVM address with a correct checksum.',
  cause: 'The domain has other characters, or the address is not valid.',
  fix: 'Write the domain in ASCII, such as example.eth, and the address as the wallet shows it.',
});

export const nameServiceExists = defineError({
  code: 'name_service_exists',
  status: 422,
  message: 'The environment already has a domain on this chain.',
  hint: 'Delete it first, which also removes the names under it.',
  cause: 'An environment has one domain on each chain.',
  fix: 'Delete the name service of the chain and set up the other domain.',
});

export const domainInUse = defineError({
  code: 'domain_in_use',
  status: 422,
  message: 'Another environment issues names under this domain.',
  hint: 'Disable the name service of the other environment first.',
  cause: 'A name must refer to one wallet, so only one environment at a time can issue names under a domain.',
  fix: 'Disable the name service in the environment that has it enabled, such as the sandbox.',
});

export const invalidNameProof = defineError({
  code: 'invalid_name_proof',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'The signature does not prove ownership of the domain.',
  hint: 'Fetch a new message, sign it with the wallet that owns the domain, and send it within ten minutes.',
  cause:
    'The signature is for another message, address or domain, or the message is older than ten minutes or was already used.',
  fix: 'Fetch a message with the same address and domain, sign it unchanged, and use it once.',
});

export const notDomainOwner = defineError({
  code: 'not_domain_owner',
  status: 422,
  message: 'The address does not own the domain.',
  hint: 'Sign with the wallet that the registry names as the owner of the domain.',
  cause: 'The registry of the chain, or the wrapper that holds the domain, names another owner, or none.',
  fix: 'Sign with the owner’s wallet. If the domain was sold, delete the name service.',
});

export const domainUnreadable = defineError({
  code: 'domain_unreadable',
  status: 422,
  message: 'The owner of the domain cannot be checked right now.',
  hint: 'Try again in a minute.',
  cause:
    'No node of the chain gave a valid answer about the registry, or about the contract that owns the domain. Ownership is never assumed.',
  fix: 'Try again. Operators: set another Ethereum node with `PROVIDER_ADDRESSES`, such as `{"ethereum":{"api":"https://…"}}`.',
});

export const nameTaken = defineError({
  code: 'name_taken',
  status: 422,
  message: 'This name is taken.',
  hint: 'Choose another one.',
  cause: 'A name under a domain belongs to one wallet.',
  fix: 'Use the fields check with the field name-service-subdomain-handle to find out which names are free.',
});

export const walletHasName = defineError({
  code: 'wallet_has_name',
  status: 422,
  message: 'The wallet already has a name.',
  hint: 'Release it first.',
  cause: 'A wallet can have one name under the domain of an environment.',
  fix: 'Release the name of the wallet, or use another wallet.',
});

export const invalidHandle = defineError({
  code: 'invalid_handle',
  status: 422,
  message: 'This name is not valid.',
  hint: 'A name has 3 to 63 characters from a-z, 0-9 and hyphens, with no hyphen at either end.',
  cause: 'The name has other characters, such as a dot, or the wrong length.',
  fix: 'Choose a name of lower-case letters, digits and hyphens.',
});

export const walletNotProven = defineError({
  code: 'wallet_not_proven',
  status: 422,
  message: 'You have not proven a wallet with this address.',
  hint: 'Link the wallet by a signature first.',
  cause:
    'Only the caller’s own EVM wallets can have a name: those the caller has proven by signing, and embedded wallets. An address that is only stated, or belongs to someone else, cannot.',
  fix: 'Link the wallet with verifyLink, then give it a name.',
});
