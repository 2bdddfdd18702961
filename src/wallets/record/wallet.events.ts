import { SecurityEvent } from '../../common/security/index.js';
import { projectionOf } from '../../common/fields/index.js';
import { defineEvent, type EventDefinition, type EventDraft } from '../../database/index.js';
import { UserWallet } from '../../identity/index.js';
import { WalletPayload, WalletTransferPayload } from './wallet.dto.js';

export const WALLET_CREATED = defineEvent(
  'wallet.created',
  'A user has a new embedded wallet: the service created its keys, or the user imported one.',
  {
    payload: WalletPayload,
  },
);
export const WALLET_LINKED = defineEvent('wallet.linked', 'An external wallet was attached to a user.', {
  payload: WalletPayload,
  security: SecurityEvent.WalletLinked,
});
export const WALLET_UNLINKED = defineEvent('wallet.unlinked', 'A user unlinked an external wallet.', {
  payload: WalletPayload,
});
export const WALLET_TRANSFERRED = defineEvent(
  'wallet.transferred',
  'An external wallet moved to another user, who has signed with it.',
  { payload: WalletTransferPayload, security: SecurityEvent.WalletLinked },
);
export const WALLET_RESTORED = defineEvent('wallet.restored', 'A user restored a hidden embedded wallet.', {
  payload: WalletPayload,
});
export const WALLET_UPGRADED = defineEvent(
  'wallet.upgraded',
  'The key of an embedded wallet is now shared with its user. Its address does not change; the service no longer holds the key.',
  { payload: WalletPayload },
);
export const WALLET_EXPORTED = defineEvent(
  'wallet.exported',
  'A user has fetched the private key of an embedded wallet and can now use it elsewhere.',
  { payload: WalletPayload, security: SecurityEvent.SecretRevealed },
);
export const WALLET_DELETED = defineEvent('wallet.deleted', 'A wallet was deleted, or hidden by its user.', {
  payload: WalletPayload,
  selectable: false,
});

/** An event about a wallet: the fields shown by the API, and its user. */
export const walletEvent = (event: EventDefinition, userId: string, wallet: UserWallet): EventDraft => ({
  event,
  resourceId: wallet.id,
  data: { ...(projectionOf(UserWallet)(wallet) as object), userId },
});

/** The same for a change made by the user. */
export const ownWalletEvent = (event: EventDefinition, userId: string, wallet: UserWallet): EventDraft => ({
  ...walletEvent(event, userId, wallet),
  userId,
});
