import { Injectable } from '@nestjs/common';
import { Outbox, type EnvironmentId, type Transaction } from '../../database/index.js';
import { DeviceConfirmationsRepository } from './device-confirmations.repository.js';
import { deviceTokenHash } from './device-key.js';
import { DeviceRegistrationsRepository, type NewDevice } from './device-registrations.repository.js';
import { deviceTokenInvalid } from './device.errors.js';
import { DEVICE_REGISTERED, deviceEvent } from './device.events.js';

/** Turns a token into a confirmed device: using up the token and recording the device commit together. */
@Injectable()
export class ConfirmedDevices {
  constructor(
    private readonly confirmations: DeviceConfirmationsRepository,
    private readonly registrations: DeviceRegistrationsRepository,
    private readonly outbox: Outbox,
  ) {}

  /** @throws ApiError 422 `device_token_invalid` for all concurrent callers but one */
  async confirm(
    environmentId: EnvironmentId,
    sessionId: string,
    token: string,
    device: NewDevice,
    tx: Transaction,
  ): Promise<void> {
    const isTaken = await this.confirmations.take(environmentId, sessionId, deviceTokenHash(token), tx);
    if (!isTaken) throw deviceTokenInvalid();
    if (!(await this.registrations.add(environmentId, device, tx))) return;
    await this.outbox.append(environmentId, [deviceEvent(DEVICE_REGISTERED, device)], tx);
  }
}
