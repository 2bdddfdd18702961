import { EnumField, IntegerField, ListField, RefField, StringField } from '../../common/fields/index.js';
import { QueryBoolean } from '../../common/fields/query-fields.js';
import { RULE_CODES, type RuleCode } from '../vocabulary/rule-codes.js';
import { User } from './user.dto.js';

export class BulkCreateUsersQuery {
  @QueryBoolean({
    optional: true,
    description:
      'Update the profile of the user who already has the email or social account. `emailVerifiedAt`, `wallets` and `oauthAccounts` are for new users: of an existing one they change nothing.',
  })
  upsert?: boolean;
}

export class BulkUserCreateResponseFailed {
  @RefField(() => User, { optional: true, description: 'The item as requested; its id was not stored for a new user.' })
  user?: User;

  @StringField({ optional: true })
  error?: string;

  @EnumField(RULE_CODES, { optional: true })
  code?: RuleCode;
}

export class BulkUserCreateResponse {
  @ListField(() => User, { optional: true })
  created?: User[];

  @ListField(() => User, { optional: true })
  updated?: User[];

  @ListField(() => BulkUserCreateResponseFailed, { optional: true })
  failed?: BulkUserCreateResponseFailed[];

  @IntegerField({ optional: true, description: 'Number of items in the request.' })
  total?: number;
}
