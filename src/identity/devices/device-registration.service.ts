import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { unauthorized } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import type { EnvironmentId } from '../../database/index.js';
import { AdmittedChanges } from '../flows/admission/admitted-changes.js';
import { SessionAnswer } from '../flows/sessions/session-answer.js';
import { AccountNotices } from '../notices/account-notices.js';
import type { SignedIn } from '../sessions/signed-in.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import type { FullUser } from '../users/full-user.js';
import { UserReader } from '../users/user-reader.js';
import { ConfirmedDevices } from './confirmed-devices.js';
import { deviceHash } from './device-key.js';
import { parseDeviceToken } from './device-token.js';

/** Confirms the device of a session with the token emailed for it. */
@Injectable()
export class DeviceRegistrations {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly confirmed: ConfirmedDevices,
    private readonly users: UserReader,
    private readonly answer: SessionAnswer,
    private readonly notices: AccountNotices,
    private readonly changes: AdmittedChanges,
  ) {}

  /**
   * @param given the raw header
   * @throws ApiError 400, 422 `device_token_invalid`, 403 of a rule that keeps the user out
   */
  async register(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    given: string | undefined,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    const { userId, sessionId } = caller;
    const token = parseDeviceToken(given);
    const session = await this.sessions.findLive(environmentId, sessionId);
    if (!session) throw unauthorized();
    const { userAgent } = session;
    const device = { id: newId(), userId, deviceHash: deviceHash(session), userAgent };
    const { user } = await this.changes.run(environmentId, client, async (tx) => {
      await this.confirmed.confirm(environmentId, sessionId, token, device, tx);
      return { user: await this.users.getFull(environmentId, userId, tx) };
    });
    const addresses = await this.notices.addressesOf(environmentId, userId);
    await this.notices.tell(environmentId, addresses, { change: 'deviceAdded', userAgent });
    return this.answer.renew(environmentId, caller, user, client);
  }
}
