import { defineError } from '../../common/errors/index.js';

export const transactionNotOptimizable = defineError({
  code: 'transaction_not_optimizable',
  status: 400,
  message: 'A priority fee cannot be added to this transaction.',
  hint: 'payload.reason says why: malformed, signed, other_payer or too_long.',
  cause:
    'The text is not a Solana transaction in base64 or base58, is already signed, has a fee payer other than `address`, or has no room for another instruction.',
  fix: 'Send the unsigned transaction, with the address of the fee payer.',
});
