import { defineProviderType } from '../../types/provider-type.js';
import type { OwnVendor } from '../social-vendor.js';

/**
 * https://core.telegram.org/widgets/login: a widget returns the account signed with a bot token, which is the secret
 * here; the client id is the bot's name.
 */
export const telegram: OwnVendor = {
  protocol: 'own',
  type: defineProviderType({
    name: 'telegram',
    serves: 'social',
    required: ['clientId'],
    secret: 'required',
    publicFields: ['clientId'],
    destination: ['clientId'],
  }),
};
