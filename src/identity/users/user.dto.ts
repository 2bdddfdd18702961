import {
  BooleanField,
  DateField,
  EmailField,
  EnumField,
  IntegerField,
  ListField,
  RefField,
  StringField,
  StringListField,
  UuidField,
} from '../../common/fields/index.js';
import { VerifiedCredential } from '../credentials/verified-credential.dto.js';
import { CHAINS, type Chain } from '../vocabulary/chains.js';
import { MissingField } from '../custom-fields/missing-field.dto.js';
import { PrivateMetadataField } from './private-metadata.field.js';
import { ProfileFields } from './profile-fields.dto.js';
import { MfaDevice, OAuthAccountSummary, ScreeningCheck, Session, UserWallet } from './user-parts.dto.js';

class UserIdentity extends ProfileFields {
  @UuidField()
  id!: string;

  @UuidField()
  projectEnvironmentId!: string;

  @UuidField({ optional: true })
  lastVerifiedCredentialId?: string;

  @UuidField({ optional: true })
  sessionId?: string;

  @EmailField({ optional: true })
  email?: string;

  @DateField({ optional: true })
  firstVisit?: Date;

  @DateField({ optional: true })
  lastVisit?: Date;

  @BooleanField({ optional: true, description: 'True until the second visit.' })
  newUser?: boolean;

  @StringListField({ optional: true, description: 'Allowlists that the user is on.' })
  lists?: string[];

  @StringField({ optional: true, description: 'Permissions of the token, separated by spaces (RFC 8693 §4.2).' })
  scope?: string;

  @ListField(() => MissingField, {
    optional: true,
    description:
      'What the environment still asks the user for. Empty in answers to the user who has supplied everything.',
  })
  missingFields?: MissingField[];
}

/** A user as client applications see it: the base form. */
export class SdkUser extends UserIdentity {
  @ListField(() => VerifiedCredential)
  verifiedCredentials!: VerifiedCredential[];
}

/** A user as servers and the dashboard see it: the full form. */
export class User extends UserIdentity {
  @PrivateMetadataField({ optional: true })
  privateMetadata?: Record<string, unknown>;

  @ListField(() => VerifiedCredential, { optional: true })
  verifiedCredentials?: VerifiedCredential[];

  @StringField({
    optional: true,
    description: 'Address of the primary wallet: the last selected one, or else the first.',
  })
  walletPublicKey?: string;

  @StringField({ optional: true, description: 'Name of the primary wallet.' })
  wallet?: string;

  @EnumField(CHAINS, { optional: true, description: 'Chain of the primary wallet.' })
  chain?: Chain;

  @DateField({ optional: true })
  createdAt?: Date;

  @DateField({ optional: true })
  updatedAt?: Date;

  @ListField(() => Session, { optional: true, description: 'The latest 50.' })
  sessions?: Session[];

  @ListField(() => UserWallet, { optional: true })
  wallets?: UserWallet[];

  @ListField(() => ScreeningCheck, { optional: true })
  screeningChecks?: ScreeningCheck[];

  @ListField(() => OAuthAccountSummary, { optional: true })
  oauthAccounts?: OAuthAccountSummary[];

  @ListField(() => MfaDevice, { optional: true })
  mfaDevices?: MfaDevice[];
}

export class UserResponse {
  @RefField(() => User, { optional: true })
  user?: User;
}

export class UsersResponse {
  @IntegerField({ optional: true, description: 'All users; with a filter, the matching ones, at most 10 000.' })
  count?: number;

  @ListField(() => User, { optional: true })
  users?: User[];
}
