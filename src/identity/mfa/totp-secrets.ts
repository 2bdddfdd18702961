import { Injectable } from '@nestjs/common';
import { Envelope, type SealContext } from '../../vault/index.js';
import type { MfaDeviceRow } from './mfa-device.entity.js';

type Owner = Pick<MfaDeviceRow, 'environmentId' | 'userId' | 'id'>;

interface SealedSecret {
  sealedSecret: Buffer;
  masterKeyId: string;
}

/** Binds a secret to its own device. */
export const totpSecretContext = ({ environmentId, userId, id }: Owner): SealContext => ({
  purpose: 'mfa-device',
  environmentId,
  userId,
  subjectId: id,
  kind: 'totp-secret',
});

/** Secrets of devices: in the clear only while a code is compared, sealed everywhere else. */
@Injectable()
export class TotpSecrets {
  constructor(private readonly envelope: Envelope) {}

  async seal(owner: Owner, secret: string): Promise<SealedSecret> {
    const sealedSecret = await this.envelope.seal(Buffer.from(secret), totpSecretContext(owner));
    return { sealedSecret, masterKeyId: this.envelope.keyIdOf(sealedSecret) };
  }

  async open(device: Owner & Pick<SealedSecret, 'sealedSecret'>): Promise<string> {
    const bytes = await this.envelope.open(device.sealedSecret, totpSecretContext(device));
    try {
      return bytes.expose().toString();
    } finally {
      bytes.wipe();
    }
  }

  async rewrap(device: Owner & Pick<SealedSecret, 'sealedSecret'>): Promise<SealedSecret> {
    const sealedSecret =
      (await this.envelope.rewrap(device.sealedSecret, totpSecretContext(device))) ?? device.sealedSecret;
    return { sealedSecret, masterKeyId: this.envelope.keyIdOf(sealedSecret) };
  }
}
