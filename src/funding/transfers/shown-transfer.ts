import type { ExchangeTransferPayload, ExchangeTransferResponse } from './exchange-account.dto.js';
import type { ExchangeTransfer } from './exchange-transfer.entity.js';

export const shownTransfer = (row: ExchangeTransfer): ExchangeTransferResponse => ({
  id: row.id,
  exchangeAccountId: row.accountId,
  status: row.vendorStatus ?? row.state,
  amount: Number(row.amount),
  currency: row.currency,
  createdAt: row.createdAt,
});

export const payloadOf = (row: ExchangeTransfer): ExchangeTransferPayload => ({
  ...shownTransfer(row),
  userId: row.userId,
  exchange: row.exchange,
});
