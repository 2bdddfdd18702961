import { defineEvent } from '../../database/index.js';
import { ExchangeTransferPayload } from './exchange-account.dto.js';

const OF_TRANSFER = { payload: ExchangeTransferPayload };

export const EXCHANGE_TRANSFER_CREATED = defineEvent(
  'exchangeTransfer.created',
  'A payout from an exchange account was asked for, and written before it was sent.',
  OF_TRANSFER,
);
export const EXCHANGE_TRANSFER_UPDATED = defineEvent(
  'exchangeTransfer.updated',
  'The exchange took a payout or refused it, or what became of it was found out.',
  OF_TRANSFER,
);
