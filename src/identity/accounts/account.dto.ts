import { QueryBoolean } from '../../common/fields/query-fields.js';
import { EnumField, ListField, StringField, UuidField, type EnumValue } from '../../common/fields/index.js';
import { SIGNUP_FIELD_KINDS } from '../vocabulary/users.js';

/** Which of two conflicting values is kept. */
export class MergeUserConflictResolution {
  @UuidField({ description: 'The user whose value is kept.' })
  userId!: string;

  @StringField({
    min: 1,
    max: 255,
    description: 'The `name` of the field, as in `mergeConflicts`.',
    example: 'alias',
  })
  fieldKey!: string;

  @EnumField(SIGNUP_FIELD_KINDS)
  type!: EnumValue<typeof SIGNUP_FIELD_KINDS>;
}

export class MergeUserConflictResolutions {
  @ListField(() => MergeUserConflictResolution, {
    optional: true,
    most: 300,
    description: 'One answer for each conflict.',
  })
  mergeUserResolutions?: MergeUserConflictResolution[];
}

/** Names one credential to unlink. */
export class VerifyUnlinkRequest {
  @UuidField({
    optional: true,
    description: 'A wallet of the user, or its credential. Beside a credential it is the selected wallet, which stays.',
  })
  walletId?: string;

  @UuidField({ optional: true, description: 'An older spelling of `verifiedCredentialId`.' })
  verifiedCrentialId?: string;

  @UuidField({ optional: true, description: 'A credential of the user.' })
  verifiedCredentialId?: string;

  @UuidField({ optional: true, description: "The user's new primary wallet, or its credential." })
  primaryWalletId?: string;
}

export class EraseUserQuery {
  @QueryBoolean({ optional: true, description: 'Confirms that embedded wallets and their assets may be lost.' })
  eraseWallets?: boolean;
}
