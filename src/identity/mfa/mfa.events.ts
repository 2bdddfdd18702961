import { SecurityEvent } from '../../common/security/index.js';
import { EnumField, IntegerField, UuidField, type EnumValue } from '../../common/fields/index.js';
import { defineEvent, type EventDraft } from '../../database/index.js';
import { MFA_DEVICE_TYPES } from '../vocabulary/users.js';

export class MfaDevicePayload {
  @UuidField()
  id!: string;

  @UuidField()
  userId!: string;

  @EnumField(MFA_DEVICE_TYPES)
  type!: EnumValue<typeof MFA_DEVICE_TYPES>;
}

export class RecoveryCodesPayload {
  @UuidField()
  userId!: string;

  @IntegerField({ description: 'Number of unused codes.' })
  count!: number;
}

export const MFA_DEVICE_ADDED = defineEvent('mfaDevice.added', 'A user added a second factor.', {
  payload: MfaDevicePayload,
  security: SecurityEvent.FactorChanged,
});
export const MFA_DEVICE_REMOVED = defineEvent('mfaDevice.removed', 'A second factor of a user was removed.', {
  payload: MfaDevicePayload,
  security: SecurityEvent.FactorChanged,
});
export const RECOVERY_CODES_REPLACED = defineEvent('recoveryCodes.replaced', "A user's recovery codes were replaced.", {
  payload: RecoveryCodesPayload,
  security: SecurityEvent.FactorChanged,
});
export const RECOVERY_CODE_USED = defineEvent('recoveryCode.used', 'A recovery code was used in place of a device.', {
  payload: RecoveryCodesPayload,
  security: SecurityEvent.FactorChanged,
});

/** @param causedBy the end user who acted; null if a server or member did */
export const deviceEvent = (
  event: EventDraft['event'],
  { id, userId, type }: MfaDevicePayload,
  causedBy: string | null,
): EventDraft => ({ event, resourceId: id, data: { id, userId, type }, userId: causedBy });

export const recoveryEvent = (event: EventDraft['event'], userId: string, count: number): EventDraft => ({
  event,
  resourceId: userId,
  data: { userId, count },
  userId,
});

export class MfaResetPayload {
  @UuidField()
  userId!: string;

  @IntegerField({ description: 'Devices that were removed.' })
  devices!: number;
}

export const MFA_RESET = defineEvent('mfa.reset', 'An administrator removed all second factors of a user.', {
  payload: MfaResetPayload,
  security: SecurityEvent.FactorChanged,
});
