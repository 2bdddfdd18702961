import { defineEvent } from '../../database/index.js';
import { RefusedWallet, ScreeningIntegration } from './screening.dto.js';

export const SCREENING_ENABLED = defineEvent(
  'screening.sanctions.enabled',
  'Wallets are compared with sanctions lists from now on.',
  { payload: ScreeningIntegration },
);
export const SCREENING_DISABLED = defineEvent(
  'screening.sanctions.disabled',
  'Wallets are compared with sanctions lists no more.',
  { payload: ScreeningIntegration },
);
export const WALLET_BLOCKED = defineEvent(
  'wallet.screening.blocked',
  'A wallet that a sanctions list names was refused at sign-in, when it was to be linked, or when it was made.',
  { payload: RefusedWallet },
);
