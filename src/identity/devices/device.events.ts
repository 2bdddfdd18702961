import { SecurityEvent } from '../../common/security/index.js';
import { StringField, UuidField } from '../../common/fields/index.js';
import { defineEvent, type EventDraft } from '../../database/index.js';
import type { NewDevice } from './device-registrations.repository.js';

export class DevicePayload {
  @UuidField()
  id!: string;

  @UuidField()
  userId!: string;

  @StringField({ optional: true, description: 'The user agent of the browser.' })
  userAgent?: string;
}

export const DEVICE_REGISTERED = defineEvent('device.registered', 'A user confirmed a new device.', {
  payload: DevicePayload,
  security: SecurityEvent.FactorChanged,
});
export const DEVICE_REMOVED = defineEvent('device.removed', 'A user removed a confirmed device.', {
  payload: DevicePayload,
  security: SecurityEvent.FactorChanged,
});

export const deviceEvent = (event: EventDraft['event'], { id, userId, userAgent }: NewDevice): EventDraft => ({
  event,
  resourceId: id,
  data: { id, userId, ...(userAgent !== null && { userAgent }) },
  userId,
});
