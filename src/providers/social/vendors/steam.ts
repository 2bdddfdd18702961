import { defineProviderType } from '../../types/provider-type.js';
import type { OpenId2Vendor } from '../social-vendor.js';

/** https://partner.steamgames.com/doc/features/auth#website: OpenID 2.0. With a Web API key, names are read as well. */
export const steam: OpenId2Vendor = {
  protocol: 'openid2',
  type: defineProviderType({ name: 'steam', serves: 'social', secret: 'optional' }),
  addresses: {
    authorize: 'https://steamcommunity.com/openid/login',
    token: 'https://steamcommunity.com/openid/login',
    profile: 'https://api.steampowered.com/ISteamUser/GetPlayerSummaries/v2/',
  },
};
