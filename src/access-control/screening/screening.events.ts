import { defineEvent } from '../../database/index.js';
import { RefusedWallet, ScreeningIntegration } from './screening.dto.js';

export const SCREENING_ENABLED = defineEvent('screening.sanctions.enabled', 'Sanctions screening was turned on.', {
  payload: ScreeningIntegration,
});
export const SCREENING_DISABLED = defineEvent('screening.sanctions.disabled', 'Sanctions screening was turned off.', {
  payload: ScreeningIntegration,
});
export const WALLET_BLOCKED = defineEvent(
  'wallet.screening.blocked',
  'A wallet on a sanctions list was refused at sign-in, when being linked or when being created.',
  { payload: RefusedWallet },
);
