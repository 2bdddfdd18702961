import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';

/** A passkey that a browser may use to answer. */
export interface OtherPasskey {
  credentialId: string;
  rpId: string;
  transports: readonly string[];
}

/** A source of passkeys not used for sign-in, such as second factors. */
export interface OtherPasskeySource {
  list(environmentId: EnvironmentId, userId: string): Promise<OtherPasskey[]>;

  /** Whether a passkey for sign-in would complete this session as well. */
  takesThoseOfSignIn(environmentId: EnvironmentId, caller: EndUserPrincipal): Promise<boolean>;
}

/** A user's passkeys other than those for sign-in. Sources register themselves. */
@Injectable()
export class OtherPasskeys {
  private readonly sources: OtherPasskeySource[] = [];

  register(source: OtherPasskeySource): void {
    this.sources.push(source);
  }

  async list(environmentId: EnvironmentId, userId: string): Promise<OtherPasskey[]> {
    return (await Promise.all(this.sources.map((source) => source.list(environmentId, userId)))).flat();
  }

  /** Whether a passkey for sign-in would complete a session that something is outstanding for. */
  async takeThoseOfSignIn(environmentId: EnvironmentId, caller: EndUserPrincipal): Promise<boolean> {
    const taken = await Promise.all(this.sources.map((source) => source.takesThoseOfSignIn(environmentId, caller)));
    return taken.includes(true);
  }
}
