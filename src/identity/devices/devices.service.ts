import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { notFound, unauthorized } from '../../common/errors/index.js';
import { Outbox, UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { deviceHash } from './device-key.js';
import { DeviceRegistrationsRepository } from './device-registrations.repository.js';
import { DeviceSessions } from './device-sessions.js';
import type { DeleteDeviceRegistrationResponse, DeviceRegistrationsResponse } from './device.dto.js';
import { DEVICE_REMOVED, deviceEvent } from './device.events.js';

/** The confirmed devices of the signed-in user. */
@Injectable()
export class Devices {
  constructor(
    private readonly registrations: DeviceRegistrationsRepository,
    private readonly sessions: SessionsRepository,
    private readonly endings: DeviceSessions,
    private readonly work: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  async list(environmentId: EnvironmentId, caller: EndUserPrincipal): Promise<DeviceRegistrationsResponse> {
    const own = await this.own(environmentId, caller);
    const rows = await this.registrations.listOfUser(environmentId, caller.userId);
    const deviceRegistrations = rows.map(({ id, deviceHash: hash, userAgent, createdAt }) => ({
      id,
      isCurrentDevice: hash.equals(own),
      userAgent,
      createdAt,
    }));
    return { count: rows.length, deviceRegistrations };
  }

  /**
   * Ends the other sessions of the removed devices; the caller's own continues until its tokens are next issued.
   * @param id null for all
   * @throws ApiError 404
   */
  async forget(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    id: string | null,
  ): Promise<DeleteDeviceRegistrationResponse> {
    const own = await this.own(environmentId, caller);
    return this.work.run(async (tx) => {
      const gone = await this.registrations.forget(environmentId, caller.userId, id, tx);
      if (id !== null && gone.length === 0) throw notFound();
      await this.endings.endOthers(
        environmentId,
        caller,
        gone.map((device) => device.deviceHash),
        tx,
      );
      const events = gone.map((device) => deviceEvent(DEVICE_REMOVED, device));
      if (events.length > 0) await this.outbox.append(environmentId, events, tx);
      return { currentDeviceRevoked: gone.some((device) => device.deviceHash.equals(own)) };
    });
  }

  private async own(environmentId: EnvironmentId, { sessionId }: EndUserPrincipal): Promise<Buffer> {
    const session = await this.sessions.findLive(environmentId, sessionId);
    if (!session) throw unauthorized();
    return deviceHash(session);
  }
}
