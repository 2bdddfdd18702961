import { EnumField, EnumListField, IntegerField, UuidField } from '../../common/fields/index.js';
import { defineEvent, type EventDraft } from '../../database/index.js';
import { CHAINS, type Chain } from '../../identity/index.js';
import { BACKUP_LOCATIONS, type BackupLocation } from './backup.dto.js';

class WalletBackupPayload {
  @UuidField({ description: 'Id of the wallet.' })
  id!: string;

  @UuidField()
  userId!: string;

  @EnumField(CHAINS)
  chain!: Chain;
}

export class WalletBackedUpPayload extends WalletBackupPayload {
  @EnumListField(BACKUP_LOCATIONS, { description: 'Where the copies are.' })
  locations!: BackupLocation[];
}

export class WalletRecoveredPayload extends WalletBackupPayload {
  @IntegerField({ description: 'Number of encrypted shares that were released.' })
  keyShares!: number;
}

export const WALLET_BACKED_UP = defineEvent(
  'wallet.backedUp',
  "A backup of the user's key shares was stored, or reported as stored.",
  { payload: WalletBackedUpPayload },
);

export const WALLET_RECOVERED = defineEvent(
  'wallet.recovered',
  "The service has released the encrypted copy of a user's key shares.",
  { payload: WalletRecoveredPayload },
);

export const backedUpEvent = (data: WalletBackedUpPayload): EventDraft => ({
  event: WALLET_BACKED_UP,
  resourceId: data.id,
  data: { ...data },
});

export const recoveredEvent = (data: WalletRecoveredPayload): EventDraft => ({
  event: WALLET_RECOVERED,
  resourceId: data.id,
  data: { ...data },
  userId: data.userId,
});
