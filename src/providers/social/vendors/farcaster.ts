import { defineProviderType } from '../../types/provider-type.js';
import type { OwnVendor } from '../social-vendor.js';

/** https://docs.farcaster.xyz/auth-kit: a message signed with the custody address of the account; no client is needed. */
export const farcaster: OwnVendor = {
  protocol: 'own',
  type: defineProviderType({ name: 'farcaster', serves: 'social' }),
};
