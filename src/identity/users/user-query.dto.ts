import { EnumField, StringField } from '../../common/fields/index.js';
import { QueryBoolean, QueryGroup, QueryInteger } from '../../common/fields/query-fields.js';
import { CHAINS, type Chain } from '../vocabulary/chains.js';
import { PROVIDER_KINDS, type ProviderKind } from '../vocabulary/providers.js';
import {
  CHECKABLE_FIELDS,
  USER_FILTER_COLUMNS,
  type CheckableField,
  type UserFilterColumn,
} from '../vocabulary/users.js';

export class UserSearchFilterParams {
  @StringField({ optional: true })
  filterValue?: string;

  @EnumField(USER_FILTER_COLUMNS, { optional: true })
  filterColumn?: UserFilterColumn;

  @EnumField(PROVIDER_KINDS, { optional: true })
  filterSocialProvider?: ProviderKind;

  @EnumField(CHAINS, { optional: true })
  chain?: Chain;

  @QueryBoolean({
    optional: true,
    description: 'True lists the users with an address, account or wallet that another user also has.',
  })
  filterDuplicates?: boolean;
}

export const DEFAULT_PAGE = 20;

export class ListUsersQuery {
  @QueryGroup(() => UserSearchFilterParams, { optional: true })
  filter?: UserSearchFilterParams;

  @StringField({
    optional: true,
    pattern: /^[A-Za-z]*-(asc|desc)$/,
    example: 'createdAt-desc',
    description:
      'One of createdAt, updatedAt, firstVisit, lastVisit, email, alias, firstName, lastName and username, with `-asc` or `-desc`.',
  })
  orderBy?: string;

  @QueryInteger({ optional: true, min: 0, default: 0 })
  offset?: number;

  @QueryInteger({ optional: true, min: 1, max: 100, default: DEFAULT_PAGE })
  limit?: number;

  @QueryBoolean({ optional: true })
  includeSessions?: boolean;
}

export class UserFieldsCheckParams {
  @EnumField(CHECKABLE_FIELDS)
  field!: CheckableField;

  @StringField({ min: 1, max: 255, example: 'ada@example.com' })
  value!: string;
}

export class UserFieldsCheckQuery {
  @QueryGroup(() => UserFieldsCheckParams, { optional: true })
  filter?: UserFieldsCheckParams;
}
