import { StringField, StringListField } from '../../common/fields/index.js';
import { QueryInteger } from '../../common/fields/query-fields.js';

export class NonceResponse {
  @StringField({ optional: true, description: '32 hexadecimal digits; single-use, expires after five minutes.' })
  nonce?: string;
}

export const DEFAULT_NONCES = 5;

export class NoncesQuery {
  @QueryInteger({ optional: true, min: 1, max: 20, default: DEFAULT_NONCES })
  count?: number;
}

export class NoncesResponse {
  @StringListField({ description: 'Each has 32 hexadecimal digits, is single-use and expires after five minutes.' })
  nonces!: string[];
}
