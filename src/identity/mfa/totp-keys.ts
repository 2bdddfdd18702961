import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { UserReader } from '../users/user-reader.js';
import type { NewDevice, TriedDevice } from './mfa-devices.repository.js';
import { newTotpSecret, stepOf, totpUri } from './totp.js';
import { TotpSecrets } from './totp-secrets.js';

export interface NewTotpKey {
  device: NewDevice;
  secret: string;
  uri: string;
}

/** Creates the secrets of devices, with the label for authenticator apps, and checks codes. */
@Injectable()
export class TotpKeys {
  constructor(
    private readonly secrets: TotpSecrets,
    private readonly settings: EnvironmentSettingsReader,
    private readonly users: UserReader,
    private readonly clock: Clock,
  ) {}

  async create(environmentId: EnvironmentId, userId: string): Promise<NewTotpKey> {
    const { general } = await this.settings.get(environmentId);
    const { email, username } = await this.users.getFull(environmentId, userId);
    const id = newId();
    const secret = newTotpSecret();
    const sealed = await this.secrets.seal({ environmentId, userId, id }, secret);
    const issuer = (general.emailCompanyName || general.displayName || 'Gatehouse').replaceAll(':', ' ');
    const uri = totpUri(secret, { issuer, label: (email ?? username ?? userId).replaceAll(':', ' ') });
    return { device: { id, userId, type: 'totp', ...sealed }, secret, uri };
  }

  /** The time step of a currently valid code; null for any other code. */
  async stepOf(device: Omit<TriedDevice, 'verifiedAt'>, code: string): Promise<number | null> {
    const nowSeconds = Math.floor(this.clock.timestamp() / 1000);
    return stepOf(await this.secrets.open(device), code, nowSeconds, Number(device.lastStep));
  }
}
