import { defineError } from '../../common/errors/index.js';

export const transactionNotOptimizable = defineError({
  code: 'transaction_not_optimizable',
  status: 400,
  message: 'The transaction cannot be given a priority fee.',
  hint: 'payload.reason says why: malformed, signed, other_payer or too_long.',
  cause:
    'The text is no Solana transaction in base64 or base58, somebody has signed it already, its fee is paid by another account than `address`, or it has no room left for one more instruction.',
  fix: 'Send the transaction before anybody signs it, with the address of the account that pays.',
});
