import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../auth/index.js';
import { Outbox, UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { AccountNotices } from '../notices/account-notices.js';
import type { MfaDeviceRow } from './mfa-device.entity.js';
import { MfaDevicesRepository, type NewDevice, type ShownDevice } from './mfa-devices.repository.js';
import { deviceEvent, MFA_DEVICE_ADDED, MFA_DEVICE_REMOVED } from './mfa.events.js';

/** Adds and removes devices, with their events and the notices to their user. */
@Injectable()
export class DeviceRecord {
  constructor(
    private readonly devices: MfaDevicesRepository,
    private readonly outbox: Outbox,
    private readonly notices: AccountNotices,
    private readonly work: UnitOfWork,
  ) {}

  /** Replaces an unfinished enrolment. */
  async begin(environmentId: EnvironmentId, device: NewDevice): Promise<void> {
    await this.work.run((tx) => this.devices.begin(environmentId, device, tx));
  }

  /**
   * Marks the device as verified.
   * @param step of the code that was used.
   * @returns null for all concurrent callers but one
   */
  async verify(
    environmentId: EnvironmentId,
    begun: Pick<MfaDeviceRow, 'id' | 'userId' | 'type'>,
    step: number,
    tx: Transaction,
  ): Promise<ShownDevice | null> {
    const device = await this.devices.verify(environmentId, begun, step, tx);
    if (device) await this.outbox.append(environmentId, [deviceEvent(MFA_DEVICE_ADDED, begun, begun.userId)], tx);
    return device;
  }

  /** One that is still being registered was never told of as added. */
  async remove(
    environmentId: EnvironmentId,
    device: Pick<MfaDeviceRow, 'id' | 'userId' | 'type' | 'verifiedAt'>,
    tx: Transaction,
  ): Promise<void> {
    const { id, userId, verifiedAt } = device;
    await this.devices.delete(environmentId, { id, userId }, tx);
    if (verifiedAt) await this.outbox.append(environmentId, [deviceEvent(MFA_DEVICE_REMOVED, device, userId)], tx);
  }

  /** Called after the change is committed. */
  async tell(
    environmentId: EnvironmentId,
    userId: string,
    change: 'factorAdded' | 'factorRemoved',
    { userAgent }: ClientOrigin,
  ): Promise<void> {
    const addresses = await this.notices.addressesOf(environmentId, userId);
    await this.notices.tell(environmentId, addresses, { change, userAgent });
  }
}
