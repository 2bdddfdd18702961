import { defineEnum, type EnumValue } from '../../common/fields/index.js';

export const CREDENTIAL_FORMATS = defineEnum('JwtVerifiedCredentialFormatEnum', [
  'blockchain',
  'email',
  'oauth',
  'passkey',
  'phoneNumber',
  'externalUser',
]);
export type CredentialFormat = EnumValue<typeof CREDENTIAL_FORMATS>;

export const BACKUP_CODE_ACKNOWLEDGEMENTS = defineEnum('MfaBackupCodeAcknowledgement', ['pending', 'complete']);
export type BackupCodeAcknowledgement = EnumValue<typeof BACKUP_CODE_ACKNOWLEDGEMENTS>;

export const MFA_DEVICE_TYPES = defineEnum('MfaDeviceType', ['totp', 'passkey', 'email']);

export const SCREENING_RESULTS = defineEnum('ScreeningCheckResultEnum', ['OK', 'BLOCKED', 'FAILED']);

/** Whether a signup field is built in or was created by the environment. */
export const SIGNUP_FIELD_KINDS = defineEnum('KycFieldType', ['standard', 'custom']);

export const CUSTOM_FIELD_TYPES = defineEnum('CustomFieldType', ['text', 'checkbox', 'select']);

export const USER_FILTER_COLUMNS = defineEnum('UserFilterableFieldsEnum', [
  'all',
  'id',
  'walletPublicKey',
  'email',
  'alias',
  'firstName',
  'lastName',
  'phoneNumber',
  'jobTitle',
  'wallet',
  'username',
  'accountId',
]);
export type UserFilterColumn = EnumValue<typeof USER_FILTER_COLUMNS>;

export const CHECKABLE_FIELDS = defineEnum('UserFieldsCheckEnum', [
  'email',
  'username',
  'name-service-subdomain-handle',
]);
export type CheckableField = EnumValue<typeof CHECKABLE_FIELDS>;
