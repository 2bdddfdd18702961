import { TOKEN_SCOPES, type TokenScope } from '../../auth/index.js';
import {
  BooleanField,
  DateField,
  EmailField,
  EnumListField,
  ListField,
  OmitOf,
  PickOf,
  RefField,
  StringField,
  UuidField,
} from '../../common/fields/index.js';

export class TokenCreatedBy {
  @UuidField()
  id!: string;

  @StringField({ optional: true })
  alias?: string;

  @StringField({ optional: true })
  firstName?: string;

  @StringField({ optional: true })
  lastName?: string;

  @EmailField({ optional: true, max: Infinity })
  email?: string;
}

export class TokenWithRawProjectEnvironment {
  @UuidField({ optional: true })
  id?: string;
}

/** A token as lists show it, without the token value. */
export class EnvironmentApiToken {
  @UuidField()
  id!: string;

  @StringField({
    min: 6,
    max: 6,
    pattern: /^[A-Za-z0-9]{6}$/,
    description: 'The last six characters of the token, by which its owner can recognise it.',
  })
  checksum!: string;

  @RefField(() => TokenCreatedBy)
  createdBy!: TokenCreatedBy;

  @DateField()
  createdAt!: Date;

  @StringField({ optional: true })
  note?: string;

  @UuidField({ optional: true })
  projectEnvironmentId?: string;

  @RefField(() => TokenWithRawProjectEnvironment, { optional: true })
  projectEnvironment?: TokenWithRawProjectEnvironment;

  @EnumListField(TOKEN_SCOPES, { optional: true })
  scopes?: TokenScope[];
}

/** A personal token as events show it. */
export class PersonalTokenPayload extends PickOf(EnvironmentApiToken, [
  'id',
  'checksum',
  'createdBy',
  'createdAt',
  'note',
]) {}

export class EnvironmentApiTokenWithRaw extends EnvironmentApiToken {
  @StringField({ description: 'The token. It is shown only in this answer.' })
  rawToken!: string;

  @BooleanField({ optional: true })
  active?: boolean;
}

export class TokensResponse {
  @ListField(() => EnvironmentApiToken, { optional: true })
  tokens?: EnvironmentApiToken[];
}

export class CreateTokenResponse {
  @RefField(() => EnvironmentApiTokenWithRaw)
  token!: EnvironmentApiTokenWithRaw;
}

export class PostTokenFields {
  @StringField({ max: 100, description: 'The purpose of the token.' })
  note!: string;

  @EnumListField(TOKEN_SCOPES, {
    optional: true,
    description: 'What the token may do; without scopes, nothing. A token can pass on only scopes of its own.',
  })
  scopes?: TokenScope[];
}

export class DashboardUserApiToken extends OmitOf(EnvironmentApiTokenWithRaw, ['scopes']) {}

export class UserApiTokenCreateRequest extends PickOf(PostTokenFields, ['note']) {}

export class UserApiTokenCreateResponse {
  @RefField(() => DashboardUserApiToken)
  token!: DashboardUserApiToken;
}
