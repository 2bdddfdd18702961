import { defineEvent } from '../../database/index.js';
import { SigningPolicyState } from './policy.dto.js';

const PAYLOAD = { payload: SigningPolicyState };

export const POLICY_CREATED = defineEvent(
  'signingPolicy.created',
  'A signing policy for the wallets of the environment was created.',
  PAYLOAD,
);
export const POLICY_UPDATED = defineEvent(
  'signingPolicy.updated',
  'Rules of the signing policy were added, changed or deleted.',
  PAYLOAD,
);
