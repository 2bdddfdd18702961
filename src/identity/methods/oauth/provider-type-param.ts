import type { ApiParamOptions } from '@nestjs/swagger';
import { PROVIDER_KINDS } from '../../vocabulary/providers.js';

/** The parameter as the document has it: any name of a provider; which of them can sign people in, the answer says. */
export const PROVIDER_TYPE: ApiParamOptions = {
  name: 'providerType',
  enum: [...PROVIDER_KINDS.values],
  enumName: PROVIDER_KINDS.name,
};
