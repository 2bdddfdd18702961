import { defineEvent } from '../../database/index.js';
import {
  DeletedGlobalWalletDomain,
  GlobalWalletAccessControlDomainResponse,
  GlobalWalletAccessControlResponse,
} from './access-control.dto.js';
import { GlobalWalletSettings } from './global-wallet.dto.js';

const OF_WALLET = { payload: GlobalWalletSettings };
const OF_ACCESS = { payload: GlobalWalletAccessControlResponse };

export const GLOBAL_WALLET_CREATED = defineEvent(
  'globalWallet.created',
  'The settings of the global wallet were made, not enabled yet.',
  OF_WALLET,
);
export const GLOBAL_WALLET_UPDATED = defineEvent(
  'globalWallet.updated',
  'The global wallet looks different.',
  OF_WALLET,
);
export const GLOBAL_WALLET_ENABLED = defineEvent('globalWallet.enabled', 'Sites can connect to it.', OF_WALLET);
export const GLOBAL_WALLET_DISABLED = defineEvent('globalWallet.disabled', 'No site can connect to it.', OF_WALLET);

export const ACCESS_CONTROL_CREATED = defineEvent(
  'globalWallet.accessControl.created',
  'The access control of the global wallet was made, not enabled yet.',
  OF_ACCESS,
);
export const ACCESS_CONTROL_UPDATED = defineEvent(
  'globalWallet.accessControl.updated',
  'The access control of the global wallet allows what it blocked, or the reverse.',
  OF_ACCESS,
);
export const ACCESS_CONTROL_ENABLED = defineEvent(
  'globalWallet.accessControl.enabled',
  'The access control of the global wallet decides from now on.',
  OF_ACCESS,
);
export const ACCESS_CONTROL_DISABLED = defineEvent(
  'globalWallet.accessControl.disabled',
  'The access control of the global wallet decides no more.',
  OF_ACCESS,
);
export const DOMAIN_CREATED = defineEvent(
  'globalWallet.domain.created',
  'The access control of the global wallet names another site.',
  { payload: GlobalWalletAccessControlDomainResponse },
);
export const DOMAIN_DELETED = defineEvent(
  'globalWallet.domain.deleted',
  'The access control of the global wallet names a site no more.',
  { payload: DeletedGlobalWalletDomain },
);
