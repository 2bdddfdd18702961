import { defineProviderType } from '../../types/provider-type.js';
import type { OwnVendor } from '../social-vendor.js';

/**
 * https://core.telegram.org/widgets/login: a widget signs the account with the token of a bot, which is the secret here;
 * the client id is the name of the bot.
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
