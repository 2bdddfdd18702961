import { DateField, EnumField, StringField, UuidField } from '../../common/fields/index.js';
import { ACCESS_OUTCOMES, type AccessOutcome } from '../outcome.js';

const OUTCOME =
  'scope: people on the list are granted the scope. siteAccess: people are let in if at least one enabled rule with this outcome applies to them. block: people who are not on the list are refused.';

/** A list of people, each with the identifiers that match them. */
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
    description: `${OUTCOME} Defaults to scope if the new list has a scope, otherwise to siteAccess.`,
  })
  outcome?: AccessOutcome;
}
