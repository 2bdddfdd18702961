import { UuidField, StringField } from '../../common/fields/index.js';
import { defineEvent } from '../../database/index.js';

class PromotedPayload {
  @UuidField({ description: 'The environment that was changed.' })
  id!: string;

  @UuidField({ description: 'The environment it was brought in line with.' })
  fromEnvironmentId!: string;

  @StringField({ description: 'SHA-256 of the applied plan, in hexadecimal.' })
  planDigest!: string;
}

export const ENVIRONMENT_PROMOTED = defineEvent(
  'environment.promoted',
  'A promotion plan was applied to the environment. Each change also has its own event.',
  { payload: PromotedPayload },
);
