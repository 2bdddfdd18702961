import { apple } from './vendors/apple.js';
import { bitbucket } from './vendors/bitbucket.js';
import { coinbasesocial } from './vendors/coinbasesocial.js';
import { discord } from './vendors/discord.js';
import { epicgames } from './vendors/epicgames.js';
import { facebook } from './vendors/facebook.js';
import { farcaster } from './vendors/farcaster.js';
import { github } from './vendors/github.js';
import { gitlab } from './vendors/gitlab.js';
import { google } from './vendors/google.js';
import { instagram } from './vendors/instagram.js';
import { kraken } from './vendors/kraken.js';
import { line } from './vendors/line.js';
import { linkedin } from './vendors/linkedin.js';
import { microsoft } from './vendors/microsoft.js';
import { okta } from './vendors/okta.js';
import { shopify } from './vendors/shopify.js';
import { spotify } from './vendors/spotify.js';
import { steam } from './vendors/steam.js';
import { telegram } from './vendors/telegram.js';
import { tiktok } from './vendors/tiktok.js';
import { twitch } from './vendors/twitch.js';
import { twitter } from './vendors/twitter.js';
import type { SocialVendor } from './social-vendor.js';

/** Every value of `SocialSignInProviderEnum`, one file each. */
export const SOCIAL_VENDORS: readonly SocialVendor[] = [
  apple,
  bitbucket,
  coinbasesocial,
  discord,
  epicgames,
  facebook,
  farcaster,
  github,
  gitlab,
  google,
  instagram,
  linkedin,
  microsoft,
  twitch,
  twitter,
  telegram,
  spotify,
  tiktok,
  line,
  steam,
  shopify,
  kraken,
  okta,
];

const BY_NAME = new Map(SOCIAL_VENDORS.map((vendor) => [vendor.type.name as string, vendor]));

export const vendorOf = (name: string): SocialVendor | undefined => BY_NAME.get(name);

/** Whether people have accounts at the provider that they can sign in with. */
export const isSocialProvider = (name: string): boolean => BY_NAME.has(name);
