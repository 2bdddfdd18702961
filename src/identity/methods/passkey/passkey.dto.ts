import { IntegerField, ListField, StringField, UuidField } from '../../../common/fields/index.js';
import { UserPasskey } from '../../users/user-passkey.dto.js';

export class GetUserPasskeysResponse {
  @ListField(() => UserPasskey)
  passkeys!: UserPasskey[];

  @IntegerField()
  count!: number;
}

export class UpdateUserPasskeyRequest {
  @UuidField()
  id!: string;

  @StringField({ optional: true, description: 'A display name of at most 100 characters. If absent, it is unchanged.' })
  alias?: string;
}

export class DeleteUserPasskeyRequest {
  @UuidField()
  passkeyId!: string;
}
