import { Injectable } from '@nestjs/common';
import { Envelope, type SealContext } from '../../vault/index.js';
import type { MfaDeviceRow } from './mfa-device.entity.js';

type Owner = Pick<MfaDeviceRow, 'environmentId' | 'userId' | 'id'>;

/** A secret opens for its own device alone. */
const contextOf = ({ environmentId, userId, id }: Owner): SealContext => ({
  purpose: 'mfa-device',
  environmentId,
  userId,
  subjectId: id,
  kind: 'totp-secret',
});

/** Secrets of devices: in the clear for as long as a code is compared, sealed everywhere else. */
@Injectable()
export class TotpSecrets {
  constructor(private readonly envelope: Envelope) {}

  async seal(owner: Owner, secret: string): Promise<Pick<MfaDeviceRow, 'sealedSecret' | 'masterKeyId'>> {
    const sealedSecret = await this.envelope.seal(Buffer.from(secret), contextOf(owner));
    return { sealedSecret, masterKeyId: this.envelope.keyIdOf(sealedSecret) };
  }

  async open(device: Owner & Pick<MfaDeviceRow, 'sealedSecret'>): Promise<string> {
    const bytes = await this.envelope.open(device.sealedSecret, contextOf(device));
    try {
      return bytes.expose().toString();
    } finally {
      bytes.wipe();
    }
  }

  async rewrap(
    device: Owner & Pick<MfaDeviceRow, 'sealedSecret'>,
  ): Promise<Pick<MfaDeviceRow, 'sealedSecret' | 'masterKeyId'>> {
    const sealedSecret = (await this.envelope.rewrap(device.sealedSecret, contextOf(device))) ?? device.sealedSecret;
    return { sealedSecret, masterKeyId: this.envelope.keyIdOf(sealedSecret) };
  }
}
