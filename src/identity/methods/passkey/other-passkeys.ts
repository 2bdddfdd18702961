import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../../database/index.js';

/** A passkey that a browser may answer with. */
export interface OtherPasskey {
  credentialId: string;
  rpId: string;
  transports: readonly string[];
}

/** Where passkeys are kept that nobody signs in with, such as second factors. */
export interface OtherPasskeySource {
  list(environmentId: EnvironmentId, userId: string): Promise<OtherPasskey[]>;
}

/** The passkeys of a user beside those of sign-ins. What knows of them registers itself. */
@Injectable()
export class OtherPasskeys {
  private readonly sources: OtherPasskeySource[] = [];

  register(source: OtherPasskeySource): void {
    this.sources.push(source);
  }

  async list(environmentId: EnvironmentId, userId: string): Promise<OtherPasskey[]> {
    return (await Promise.all(this.sources.map((source) => source.list(environmentId, userId)))).flat();
  }
}
