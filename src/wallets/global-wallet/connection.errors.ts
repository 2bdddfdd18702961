import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const globalWalletNotEnabled = defineError({
  code: 'global_wallet_not_enabled',
  status: 422,
  message: 'The environment has no global wallet.',
  hint: 'Create the settings of the global wallet and enable it.',
  cause: 'The global wallet of the environment has no settings, or is not enabled.',
  fix: 'Create the settings, then call enableGlobalWallet.',
});

export const globalWalletSiteRefused = defineError({
  code: 'global_wallet_site_refused',
  status: 403,
  security: SecurityEvent.SiteRefused,
  message: 'The global wallet may not be connected to this site.',
  hint: 'The team that runs the wallet decides which sites it may be connected to.',
  cause:
    'The `Origin` header is missing or names no site, or the access control of the global wallet does not admit the site.',
  fix: 'Call from a page of the site in a browser; the team can name the site in the access control.',
});

export const tooManyGlobalWalletConnections = defineError({
  code: 'too_many_global_wallet_connections',
  status: 422,
  message: 'The global wallet has reached the limit of connected sites.',
  hint: 'Disconnect a site first.',
  cause: 'A user may have the global wallet connected to 100 sites at a time.',
  fix: 'Disconnect sites that are no longer used.',
});
