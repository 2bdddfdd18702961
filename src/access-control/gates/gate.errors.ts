import { defineError } from '../../common/errors/index.js';

export const invalidGate = defineError({
  code: 'invalid_gate',
  status: 422,
  message: 'The gate is not valid.',
  hint: 'See payload.additionalMessages: each names a field and what is wrong with it.',
  cause:
    'A rule has an invalid address, token id, amount or network, the scope is malformed, reserved or missing for the outcome `scope`, or there are no rules or more than 20.',
  fix: 'Correct what `payload.additionalMessages` names. Nothing was written.',
});

export const gateExists = defineError({
  code: 'gate_exists',
  status: 422,
  message: 'The environment already has a gate with this name.',
  hint: 'Choose another name, or change the gate that is there.',
  cause: 'Names of gates are unique in an environment.',
  fix: 'List the gates of the environment and choose a name that none of them has.',
});

export const tooManyGates = defineError({
  code: 'too_many_gates',
  status: 422,
  message: 'The environment has reached the limit of gates.',
  hint: 'Delete a gate first.',
  cause: 'An environment may have 50 gates, disabled ones included.',
  fix: 'Delete gates that are no longer needed.',
});

export const nftGatingNotSupported = defineError({
  code: 'nft_token_gating_not_supported_for_chain',
  status: 422,
  message: 'Gates cannot look for NFTs on this chain.',
  hint: 'Use an EVM network or Solana.',
  cause: 'A rule of type nft names a chain whose collections the service cannot read.',
  fix: 'Use rules of type nft on EVM networks and Solana alone.',
});
