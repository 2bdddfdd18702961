import { StringField } from '../../common/fields/index.js';

export class SolanaTransactionOptimizationRequest {
  @StringField({ description: 'Not yet signed; in base64 or base58.' })
  transaction!: string;

  @StringField({ pattern: /^[1-9A-HJ-NP-Za-km-z]{43,44}$/, description: 'The account that pays the fee.' })
  address!: string;
}

export class SolanaTransactionOptimizationResponse {
  @StringField({ description: 'In base64.' })
  transaction!: string;
}
