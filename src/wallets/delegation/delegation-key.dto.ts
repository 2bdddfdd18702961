import {
  DateField,
  defineEnum,
  EnumField,
  ListField,
  RefField,
  StringField,
  UuidField,
  type EnumValue,
} from '../../common/fields/index.js';
import { QueryBoolean } from '../../common/fields/query-fields.js';

export const ALGORITHMS = ['RSA-OAEP-256', 'HYBRID-RSA-AES-256'] as const;
export type DelegationAlgorithm = (typeof ALGORITHMS)[number];

const KEY_ALGORITHMS = defineEnum('DelegatedAccessEncryptionPublicKeyAlgEnum', ALGORITHMS);
const CREDENTIAL_ALGORITHMS = defineEnum('WaasDelegationCredentialsResponseAlgEnum', ALGORITHMS);
const STATES = defineEnum('DelegatedAccessEncryptionPublicKeyStatusEnum', ['pending', 'active', 'revoked']);
export type DelegationKeyState = EnumValue<typeof STATES>;
const TYPES = defineEnum('WaasDelegatedAccessEncryptionPublicKeyType', ['platform', 'external']);
export type DelegationKeyType = EnumValue<typeof TYPES>;

/** Longer than any accepted key. */
const MOST_CHARACTERS = 4_096;
const TYPE = 'Who generated the key pair, as declared by the caller; defaults to `external`.';

/** A public key that shares are sealed to. The team that registered it has the private key; this service never does. */
export class DelegatedAccessEncryptionPublicKey {
  @UuidField()
  id!: string;

  @UuidField()
  projectEnvironmentId!: string;

  @StringField({ max: 64, description: 'SHA-256 of the key in DER (SubjectPublicKeyInfo), base64url.' })
  kid!: string;

  @EnumField(KEY_ALGORITHMS)
  alg!: DelegationAlgorithm;

  @StringField({ max: MOST_CHARACTERS, description: 'Base64 of the PEM.' })
  publicKeyPemB64!: string;

  @EnumField(STATES, {
    description:
      'A key that replaces an active one is pending for a minute, then active; at that moment the previous key is revoked.',
  })
  status!: DelegationKeyState;

  @EnumField(TYPES, { description: TYPE })
  type!: DelegationKeyType;

  @DateField({ optional: true, nullable: true, description: 'When another key takes over; null if none will.' })
  expiresAt?: Date | null;

  @DateField({ optional: true, nullable: true })
  revokedAt?: Date | null;

  @DateField()
  createdAt!: Date;

  @DateField()
  updatedAt!: Date;
}

export class DelegatedAccessEncryptionPublicKeyResponse {
  @RefField(() => DelegatedAccessEncryptionPublicKey)
  key!: DelegatedAccessEncryptionPublicKey;

  @StringField()
  message!: string;
}

export class DelegatedAccessEncryptionPublicKeysUnifiedResponse {
  @RefField(() => DelegatedAccessEncryptionPublicKey, {
    optional: true,
    nullable: true,
    description: 'The active key; null if there is none.',
  })
  key?: DelegatedAccessEncryptionPublicKey | null;

  @ListField(() => DelegatedAccessEncryptionPublicKey, {
    optional: true,
    description: 'With `includeAll`: all keys, newest first.',
  })
  keys?: DelegatedAccessEncryptionPublicKey[];

  @StringField()
  message!: string;
}

export class DelegationKeysQuery {
  @QueryBoolean({ optional: true, description: 'Include pending and revoked keys.' })
  includeAll?: boolean;
}

/** Made for the API document; its private key was discarded. */
const EXAMPLE_KEY = [
  '-----BEGIN PUBLIC KEY-----',
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA8+3PaT1gevG8gh7HDREX',
  'BhWlzayxNTxnhlgvPwniiX20TatzArTBJWwcampkgXd4TVWSA+71g9w8dW+WT16E',
  'VmPo9P46mtzf2pMxyIDzDYDo5LluZEpmTY+PMYgUBHFq1EB9KCM7USZ9350mWS1x',
  '60NFAut2zrea2IecVsHJCZ/gekgICG1w30URZV3RSXYnPJEwj2jL1Dh1PoSVDu5Z',
  'QbHlZZsxs6ZIGg6kdzE4/CZAklrfD14MlFQ/WFRHFKbJSYdlM2FPa1NaDvoo6zaO',
  'j9CLhe/IMlrNQVVbEqoMUFfOdUkXleaga1mGzryzcXRfk6Ng+uHFe7fLv2XlDTZd',
  'KwIDAQAB',
  '-----END PUBLIC KEY-----',
].join('\n');

export class WaasDelegationCredentialsRequest {
  @StringField({
    max: MOST_CHARACTERS,
    description: 'An RSA key of 2048 to 4096 bits: PEM (`BEGIN PUBLIC KEY`), or base64 of it.',
    example: EXAMPLE_KEY,
  })
  publicKey!: string;

  @StringField({
    optional: true,
    min: 1,
    max: 50,
    description: '`RSA-OAEP-256` or `HYBRID-RSA-AES-256`, the default.',
    example: 'HYBRID-RSA-AES-256',
  })
  alg?: string;

  @EnumField(TYPES, { optional: true, description: TYPE })
  type?: DelegationKeyType;
}

export class WaasDelegationCredentialsResponse {
  @StringField({ max: MOST_CHARACTERS, description: 'PEM.' })
  publicKey!: string;

  @StringField({ max: 64 })
  kid!: string;

  @EnumField(CREDENTIAL_ALGORITHMS)
  alg!: DelegationAlgorithm;

  @EnumField(TYPES, { optional: true })
  type?: DelegationKeyType;

  @DateField()
  createdAt!: Date;

  @DateField()
  updatedAt!: Date;
}
