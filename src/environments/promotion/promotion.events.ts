import { UuidField, StringField } from '../../common/fields/index.js';
import { defineEvent } from '../../database/index.js';

class PromotedPayload {
  @UuidField({ description: 'The environment that was changed.' })
  id!: string;

  @UuidField({ description: 'The environment it was brought in line with.' })
  fromEnvironmentId!: string;

  @StringField({ description: 'SHA-256 of the plan that was applied, in hexadecimal.' })
  planDigest!: string;
}

export const ENVIRONMENT_PROMOTED = defineEvent(
  'environment.promoted',
  'A plan that brings an environment in line with another one was applied. Each change has its own event as well.',
  { payload: PromotedPayload },
);
