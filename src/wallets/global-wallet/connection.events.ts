import { defineEvent, type EventDefinition, type EventDraft } from '../../database/index.js';
import { GlobalWalletConnection } from './connection.dto.js';

export const CONNECTION_CREATED = defineEvent(
  'globalWallet.connection.created',
  'A user connected the global wallet to a site.',
  { payload: GlobalWalletConnection },
);
export const CONNECTION_ENDED = defineEvent(
  'globalWallet.connection.ended',
  'A user disconnected the global wallet from a site.',
  { payload: GlobalWalletConnection },
);

export const connectionEvent = (event: EventDefinition, connection: GlobalWalletConnection): EventDraft => ({
  event,
  resourceId: connection.id,
  data: connection,
  userId: connection.userId,
});
