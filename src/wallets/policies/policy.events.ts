import { defineEvent } from '../../database/index.js';
import { SigningPolicyState } from './policy.dto.js';

const PAYLOAD = { payload: SigningPolicyState };

export const POLICY_CREATED = defineEvent(
  'signingPolicy.created',
  'The environment got a policy for what its wallets sign.',
  PAYLOAD,
);
export const POLICY_UPDATED = defineEvent(
  'signingPolicy.updated',
  'Rules of the signing policy were added, changed or deleted.',
  PAYLOAD,
);
