import { Injectable, type OnModuleInit } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import type { EnvironmentId, Executor } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import {
  AssuranceRequirement,
  AssuranceRequirements,
  type AssuranceSubject,
  type Outstanding,
} from '../assurance/requirements.js';
import { AccountNotices } from '../notices/account-notices.js';
import { DeviceConfirmationsRepository } from './device-confirmations.repository.js';
import { deviceHash, deviceTokenHash, newDeviceToken } from './device-key.js';
import { DeviceMails, TOKEN_MINUTES } from './device-mails.js';
import { DeviceRegistrationsRepository } from './device-registrations.repository.js';

/**
 * A new device must be confirmed by email if the environment requires it, once per device key. The device of the very
 * first sign-in is accepted, at that sign-in only; so are devices of users without a proven address, who could not be
 * asked.
 */
@Injectable()
export class DeviceRequirement extends AssuranceRequirement implements OnModuleInit {
  readonly scope = 'device:register';

  constructor(
    private readonly requirements: AssuranceRequirements,
    private readonly settings: EnvironmentSettingsReader,
    private readonly registrations: DeviceRegistrationsRepository,
    private readonly confirmations: DeviceConfirmationsRepository,
    private readonly notices: AccountNotices,
    private readonly mails: DeviceMails,
  ) {
    super();
  }

  onModuleInit(): void {
    this.requirements.register(this);
  }

  override async outstanding(subject: AssuranceSubject, on: Executor): Promise<Outstanding | null> {
    const { environmentId, session } = subject;
    if (!(await this.isTakenByMail(environmentId))) return null;
    const { userId } = session;
    if (await this.registrations.isKnown(environmentId, userId, deviceHash(session), on)) return null;
    if (isFirst(subject)) return this.takeAsItIs(subject, on);
    const addresses = await this.notices.addressesOf(environmentId, userId);
    if (addresses.length === 0) return null;
    const token = newDeviceToken();
    const made = { hash: deviceTokenHash(token), ttlMinutes: TOKEN_MINUTES };
    if (await this.confirmations.begin(environmentId, session.id, made, on)) {
      await this.mails.sendToken(environmentId, addresses, { token, userAgent: session.userAgent });
    }
    return {};
  }

  override async isTakenByMail(environmentId: EnvironmentId): Promise<boolean> {
    const { security } = await this.settings.get(environmentId);
    return security.confirmNewDevices === true;
  }

  private async takeAsItIs({ environmentId, session }: AssuranceSubject, on: Executor): Promise<null> {
    const { userId, userAgent } = session;
    const device = { id: newId(), userId, deviceHash: deviceHash(session), userAgent };
    await this.registrations.add(environmentId, device, on);
    return null;
  }
}

/**
 * The first visit and its session are written in one transaction, with equal times. They stay equal while the session
 * lives, even if its user removes the device; hence the occasion.
 */
const isFirst = ({ user, session, occasion }: AssuranceSubject): boolean =>
  occasion === 'sign-in' && user.firstVisit?.getTime() === session.createdAt.getTime();
