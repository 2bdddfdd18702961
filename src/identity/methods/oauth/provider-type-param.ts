import type { ApiParamOptions } from '@nestjs/swagger';
import { PROVIDER_KINDS } from '../../vocabulary/providers.js';

/** The parameter in the API document: any provider name; the response tells which of them allow sign-in. */
export const PROVIDER_TYPE: ApiParamOptions = {
  name: 'providerType',
  enum: [...PROVIDER_KINDS.values],
  enumName: PROVIDER_KINDS.name,
};
