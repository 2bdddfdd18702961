import { BooleanField, DateField, ListField, StringField, UuidField } from '../../common/fields/index.js';
import { QueryBoolean, QueryInteger } from '../../common/fields/query-fields.js';
import { EnvironmentApiToken } from './api-token.dto.js';

export const MAX_PAGE = 100;
export const DEFAULT_PAGE = 50;

/** An environment token as its organization sees it. */
export class OrganizationApiToken extends EnvironmentApiToken {
  @BooleanField({ description: 'Whether the creator is a member of the organization.' })
  createdByMember!: boolean;

  @DateField()
  expiresAt!: Date;

  @DateField({ optional: true, description: 'Accurate to the minute; absent if it has never been used.' })
  lastUsedAt?: Date;
}

export class OrganizationTokensResponse {
  @StringField({
    optional: true,
    description: 'Pass it to the same operation for the next page; absent on the last page.',
  })
  cursor?: string;

  @ListField(() => OrganizationApiToken, { description: 'Newest first.' })
  tokens!: OrganizationApiToken[];
}

export class GetOrganizationTokensQuery {
  @UuidField({
    optional: true,
    description: 'Only tokens created by this dashboard user, whether or not they are still a member.',
  })
  createdBy?: string;

  @QueryBoolean({ optional: true, description: 'Only tokens whose creator has left (true), or has not (false).' })
  left?: boolean;

  @UuidField({ optional: true, description: 'The `cursor` of the previous page.' })
  cursor?: string;

  @QueryInteger({ optional: true, min: 1, max: MAX_PAGE, default: DEFAULT_PAGE })
  limit?: number;
}
