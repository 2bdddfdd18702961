import { defineProviderType } from '../../types/provider-type.js';
import type { OwnVendor } from '../social-vendor.js';

/** https://docs.farcaster.xyz/auth-kit: a message signed by the account's custody address; needs no client. */
export const farcaster: OwnVendor = {
  protocol: 'own',
  type: defineProviderType({ name: 'farcaster', serves: 'social' }),
};
