import { StringField, StringListField } from '../../common/fields/index.js';
import { QueryInteger } from '../../common/fields/query-fields.js';

export class NonceResponse {
  @StringField({ optional: true, description: '32 hexadecimal digits; good once, for five minutes.' })
  nonce?: string;
}

export const DEFAULT_NONCES = 5;

export class NoncesQuery {
  @QueryInteger({ optional: true, min: 1, max: 20, default: DEFAULT_NONCES })
  count?: number;
}

export class NoncesResponse {
  @StringListField({ description: 'Each is 32 hexadecimal digits; good once, for five minutes.' })
  nonces!: string[];
}
