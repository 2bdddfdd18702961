import {
  BooleanField,
  defineEnum,
  EnumField,
  IntegerField,
  ListField,
  StringField,
  StringListField,
  UuidField,
  type EnumValue,
} from '../../common/fields/index.js';
import { THRESHOLD_SCHEMES, WalletKeyShareInfo } from '../../identity/index.js';

export const BACKUP_LOCATIONS = defineEnum('WaasBackupOptionsEnum', [
  'googleDrive',
  'icloud',
  'platform',
  'external',
  'delegated',
]);
export type BackupLocation = EnumValue<typeof BACKUP_LOCATIONS>;

/** Longest data that a device may encrypt for one backup, in characters. */
export const MAX_CREDENTIAL = 4_096;
/** The most shares of a key a user can have, each of which may be kept separately. */
const MAX_CREDENTIALS = 3;
const MAX_LOCATIONS = 10;

const CREDENTIAL = '{"v":1,"kdf":"scrypt","salt":"AAAAAAAAAAAAAAAAAAAAAA","ciphertext":"AAAAAAAAAAAAAAAAAAAAAA"}';

/** The generation of the shares that a request concerns. */
const GenerationField = () =>
  IntegerField({
    optional: true,
    min: 1,
    max: 2_147_483_647,
    description:
      'Generation of the copied shares, as known to the device; refused if it is not that of the shares in use. Devices must always send it, since they may have missed a refresh.',
    example: 1,
  });

export class BackupMultipleClientKeySharesRequest {
  @StringListField({
    most: MAX_CREDENTIALS,
    mostLength: MAX_CREDENTIAL,
    description:
      "The user's shares, encrypted on the device: the service cannot read them. They replace the previous ones.",
    example: [CREDENTIAL],
  })
  encryptedAccountCredentials!: string[];

  @BooleanField({ description: 'Whether they are encrypted with a password of the user rather than another secret.' })
  passwordEncrypted!: boolean;

  @GenerationField()
  generation?: number;
}

export class BackupMultipleClientKeySharesResponse {
  @ListField(() => WalletKeyShareInfo)
  keyShares!: WalletKeyShareInfo[];
}

class AtLocation {
  @EnumField(BACKUP_LOCATIONS, {
    description: 'Where the client has stored the encrypted shares: `googleDrive`, `icloud` or `external`.',
    example: 'icloud',
  })
  location!: BackupLocation;
}

export class BackupKeySharesToLocationRequest extends AtLocation {
  @GenerationField()
  generation?: number;
}

export class BackupKeySharesToLocationResponse {
  @StringField()
  message!: string;

  @UuidField()
  walletId!: string;

  @EnumField(BACKUP_LOCATIONS)
  location!: BackupLocation;
}

export class BackupKeySharesToLocationsWithUserIdRequestLocations extends AtLocation {
  @StringField({
    optional: true,
    min: 1,
    max: 255,
    description: 'The participant who holds the share, by the id that clients use.',
  })
  keygenId?: string;

  @EnumField(THRESHOLD_SCHEMES, {
    optional: true,
    description: 'Scheme of the copied shares; refused if it is not that of the wallet.',
  })
  thresholdSignatureScheme?: EnumValue<typeof THRESHOLD_SCHEMES>;

  @StringField({
    optional: true,
    description:
      'A UUID that identifies the copy at its location. Recording a copy again under its id does not duplicate it.',
    example: '0197f3a0-0000-7000-8000-00000000000a',
  })
  externalKeyShareId?: string;
}

export class BackupKeySharesToLocationsRequest {
  @ListField(() => BackupKeySharesToLocationsWithUserIdRequestLocations, { most: MAX_LOCATIONS })
  locations!: BackupKeySharesToLocationsWithUserIdRequestLocations[];

  @GenerationField()
  generation?: number;
}

export class BackupKeySharesToLocationsWithUserIdRequest extends BackupKeySharesToLocationsRequest {
  @UuidField({ description: 'The owner of the wallet.' })
  userId!: string;
}

export class BackupKeySharesToLocationsResponseLocationsWithKeyShares {
  @EnumField(BACKUP_LOCATIONS)
  location!: BackupLocation;

  @UuidField()
  keyShareId!: string;

  @UuidField()
  externalKeyShareId!: string;
}

export class BackupKeySharesToLocationsResponse {
  @StringField()
  message!: string;

  @UuidField()
  walletId!: string;

  @ListField(() => BackupKeySharesToLocationsResponseLocationsWithKeyShares)
  locationsWithKeyShares!: BackupKeySharesToLocationsResponseLocationsWithKeyShares[];
}

export class RecoverMultipleClientKeySharesRequest {
  @StringListField({ optional: true, format: 'uuid', description: 'Which copies; defaults to all.' })
  keyShareIds?: string[];
}

export class WalletKeyShareInfoWithEncryptedAccountCredential extends WalletKeyShareInfo {
  @StringField({
    optional: true,
    max: MAX_CREDENTIAL,
    description: 'As encrypted by the device. Absent for a copy that is not at `platform`.',
  })
  encryptedAccountCredential?: string;
}

export class RecoverMultipleClientKeySharesResponse {
  @ListField(() => WalletKeyShareInfoWithEncryptedAccountCredential)
  keyShares!: WalletKeyShareInfoWithEncryptedAccountCredential[];
}

export class GeneratedTokenResponse {
  @StringField()
  token!: string;
}
