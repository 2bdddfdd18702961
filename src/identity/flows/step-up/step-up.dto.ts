import { ELEVATED_SCOPES, type ElevatedScope } from '../../../auth/index.js';
import { BooleanField, EnumField, ListField, StringField } from '../../../common/fields/index.js';
import { CREDENTIAL_FORMATS, type CredentialFormat } from '../../vocabulary/users.js';

export class StepUpCheckRequest {
  @EnumField(ELEVATED_SCOPES)
  scope!: ElevatedScope;
}

/** A credential with which the user can give a fresh proof. */
export class StepUpCredential {
  @StringField()
  id!: string;

  @EnumField(CREDENTIAL_FORMATS)
  format!: CredentialFormat;

  @StringField({ optional: true, description: 'The provider of a social account, the kind of a wallet.' })
  type?: string;

  @StringField({
    optional: true,
    description: 'A label for people, such as the email or the name of the passkey; absent if it has none.',
  })
  alias?: string;
}

export class StepUpCheckResponse {
  @BooleanField({ description: 'False while the elevated token of the call is valid for the scope.' })
  isRequired!: boolean;

  @ListField(() => StepUpCredential)
  credentials!: StepUpCredential[];

  @StringField({ optional: true, description: 'The credential used for the last sign-in, if it is among them.' })
  defaultCredentialId?: string;
}
