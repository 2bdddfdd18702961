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
  'The settings of the global wallet were created, not enabled yet.',
  OF_WALLET,
);
export const GLOBAL_WALLET_UPDATED = defineEvent(
  'globalWallet.updated',
  'The settings of the global wallet were changed.',
  OF_WALLET,
);
export const GLOBAL_WALLET_ENABLED = defineEvent(
  'globalWallet.enabled',
  'The global wallet was turned on: sites can connect to it.',
  OF_WALLET,
);
export const GLOBAL_WALLET_DISABLED = defineEvent(
  'globalWallet.disabled',
  'The global wallet was turned off: sites can no longer connect to it.',
  OF_WALLET,
);

export const ACCESS_CONTROL_CREATED = defineEvent(
  'globalWallet.accessControl.created',
  'The access control of the global wallet was created, not enabled yet.',
  OF_ACCESS,
);
export const ACCESS_CONTROL_UPDATED = defineEvent(
  'globalWallet.accessControl.updated',
  'The access control of the global wallet was switched between allow and block.',
  OF_ACCESS,
);
export const ACCESS_CONTROL_ENABLED = defineEvent(
  'globalWallet.accessControl.enabled',
  'The access control of the global wallet was turned on.',
  OF_ACCESS,
);
export const ACCESS_CONTROL_DISABLED = defineEvent(
  'globalWallet.accessControl.disabled',
  'The access control of the global wallet was turned off.',
  OF_ACCESS,
);
export const DOMAIN_CREATED = defineEvent(
  'globalWallet.domain.created',
  'A site was added to the access control of the global wallet.',
  { payload: GlobalWalletAccessControlDomainResponse },
);
export const DOMAIN_DELETED = defineEvent(
  'globalWallet.domain.deleted',
  'A site was removed from the access control of the global wallet.',
  { payload: DeletedGlobalWalletDomain },
);
