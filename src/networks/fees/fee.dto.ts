import { StringField } from '../../common/fields/index.js';
import { EXAMPLE_PAYER, EXAMPLE_PAYMENT } from '../example-payment.js';

export class SolanaTransactionOptimizationRequest {
  @StringField({ description: 'Unsigned; in base64 or base58.', example: EXAMPLE_PAYMENT })
  transaction!: string;

  @StringField({
    pattern: /^[1-9A-HJ-NP-Za-km-z]{43,44}$/,
    description: 'The account that pays the fee.',
    example: EXAMPLE_PAYER,
  })
  address!: string;
}

export class SolanaTransactionOptimizationResponse {
  @StringField({ description: 'In base64.' })
  transaction!: string;
}
