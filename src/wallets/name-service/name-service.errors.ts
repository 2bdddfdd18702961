import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const nameServiceNotSupported = defineError({
  code: 'name_service_not_supported',
  status: 422,
  message: 'There are no names on this chain here.',
  hint: 'Use EVM.',
  cause: 'A name service was asked for on a chain on which the service cannot find out who owns a domain.',
  fix: 'Set up the names of EVM, whose registry is that of ENS on Ethereum.',
});

export const invalidDomain = defineError({
  code: 'invalid_domain',
  status: 422,
  message: 'There can be no such domain or address.',
  hint: 'A domain has two labels at least, of a-z, 0-9 and hyphens; the address is one of EVM with a right checksum.',
  cause: 'The domain has other characters, or the address cannot be one.',
  fix: 'Write the domain in ASCII, such as example.eth, and the address as the wallet shows it.',
});

export const nameServiceExists = defineError({
  code: 'name_service_exists',
  status: 422,
  message: 'The environment has a domain on this chain.',
  hint: 'Delete it first, which takes the names below it away.',
  cause: 'An environment has one domain on each chain.',
  fix: 'Delete the name service of the chain and set up the other domain.',
});

export const domainInUse = defineError({
  code: 'domain_in_use',
  status: 422,
  message: 'Names below this domain are given out elsewhere.',
  hint: 'Disable the name service of the other environment first.',
  cause: 'A name means one wallet, so one environment at a time gives out the names below a domain.',
  fix: 'Disable the name service in the environment that has it enabled, such as the sandbox.',
});

export const invalidNameProof = defineError({
  code: 'invalid_name_proof',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'The signature does not prove whose the domain is.',
  hint: 'Fetch a new message, sign it with the wallet that owns the domain, and send it within ten minutes.',
  cause:
    'The signature is of another message, address or domain, or the message is older than ten minutes or was used.',
  fix: 'Fetch a message with the same address and domain, sign it as it is, and use it once.',
});

export const notDomainOwner = defineError({
  code: 'not_domain_owner',
  status: 422,
  message: 'The address does not own the domain.',
  hint: 'Sign with the wallet that the registry names as the owner of the domain.',
  cause: 'The registry of the chain, or the wrapper that holds the domain, names another owner, or none.',
  fix: 'Sign with the owner. Where the domain has been sold, delete the name service.',
});

export const domainUnreadable = defineError({
  code: 'domain_unreadable',
  status: 422,
  message: 'Who owns the domain cannot be found out right now.',
  hint: 'Try again in a minute.',
  cause: 'No node of the chain gave a sound answer about the registry. Nothing is taken for proven unseen.',
  fix: 'Try again. Operators: name another node of Ethereum with `PROVIDER_ADDRESSES`, such as `{"ethereum":{"api":"https://…"}}`.',
});

export const nameTaken = defineError({
  code: 'name_taken',
  status: 422,
  message: 'Somebody else has this name.',
  hint: 'Choose another one.',
  cause: 'A name below a domain belongs to one wallet.',
  fix: 'Ask with the field name-service-subdomain-handle of the fields check which names are free.',
});

export const walletHasName = defineError({
  code: 'wallet_has_name',
  status: 422,
  message: 'The wallet has a name.',
  hint: 'Release it first.',
  cause: 'A wallet has one name below the domain of an environment.',
  fix: 'Release the name of the wallet, or name another wallet.',
});

export const invalidHandle = defineError({
  code: 'invalid_handle',
  status: 422,
  message: 'There can be no such name.',
  hint: 'A name has 3 to 63 of a-z, 0-9 and hyphens, and no hyphen at either end.',
  cause: 'The name has other characters, a dot, or fewer than three of them.',
  fix: 'Choose a name of lower-case letters, digits and hyphens.',
});

export const walletNotProven = defineError({
  code: 'wallet_not_proven',
  status: 422,
  message: 'You have not proven a wallet with this address.',
  hint: 'Link the wallet by a signature first.',
  cause:
    'Names are given to wallets of EVM that the caller signs with, or that were made here; not to an address that is only stated, or is somebody else’s.',
  fix: 'Link the wallet with verifyLink, and name it then.',
});
