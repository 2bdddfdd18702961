import { defineEvent } from '../../database/index.js';
import { ExchangeTransferPayload } from './exchange-account.dto.js';

const OF_TRANSFER = { payload: ExchangeTransferPayload };

export const EXCHANGE_TRANSFER_CREATED = defineEvent(
  'exchangeTransfer.created',
  'A payout from an exchange account was requested and stored, before it was sent.',
  OF_TRANSFER,
);
export const EXCHANGE_TRANSFER_UPDATED = defineEvent(
  'exchangeTransfer.updated',
  'The exchange accepted or refused a payout, or its outcome was looked up.',
  OF_TRANSFER,
);
