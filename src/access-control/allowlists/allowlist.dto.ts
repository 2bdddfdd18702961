import { DateField, EnumField, StringField, UuidField } from '../../common/fields/index.js';
import { ACCESS_OUTCOMES, type AccessOutcome } from '../outcome.js';

const OUTCOME =
  'scope: people on the list are given the scope. siteAccess: people come in when one of the enabled rules of this outcome applies to them. block: people who are not on the list stay out.';

/** A list of people, by what they are known by. */
export class Allowlist {
  @UuidField()
  id!: string;

  @StringField({ example: 'Early access' })
  name!: string;

  @DateField({ optional: true, nullable: true })
  enabledAt?: Date | null;

  @UuidField()
  projectEnvironmentId!: string;

  @StringField({ optional: true, nullable: true })
  scope?: string | null;

  @EnumField(ACCESS_OUTCOMES, { optional: true, description: OUTCOME })
  outcome?: AccessOutcome;
}

export class PostAllowlistsRequest {
  @StringField({ optional: true, min: 1, max: 255, description: 'Required to create one.', example: 'Early access' })
  name?: string;

  @StringField({ optional: true, min: 1, max: 255, description: '1 to 64 of A-Z a-z 0-9 : . _ -', example: 'early' })
  scope?: string;

  @EnumField(ACCESS_OUTCOMES, {
    optional: true,
    description: `${OUTCOME} A new list without one has scope where it has a scope, else siteAccess.`,
  })
  outcome?: AccessOutcome;
}
