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

  @StringField({ optional: true, description: 'A name for people, of at most 100 characters. Absent, it stays.' })
  alias?: string;
}

export class DeleteUserPasskeyRequest {
  @UuidField()
  passkeyId!: string;
}
