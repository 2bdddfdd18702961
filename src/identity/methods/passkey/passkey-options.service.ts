import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { UserReader } from '../../users/user-reader.js';
import { creationOptions, newUserHandle, PASSKEY_TIMEOUT_MS } from './creation-options.js';
import { OtherPasskeys } from './other-passkeys.js';
import type { PasskeyTransport } from './passkey-answer.dto.js';
import { PasskeyChallenges } from './passkey-challenges.js';
import type {
  GetPasskeyAuthenticationOptionsResponse,
  GetPasskeyRegistrationOptionsResponse,
  PasskeyAllowCredential,
} from './passkey-options.dto.js';
import { PasskeysRepository } from './passkeys.repository.js';
import { RelyingParties } from './relying-parties.js';

type Named = { credentialId: string; transports: readonly string[] };

/** The only scope of a session that waits for a second factor. */
const SECOND_DUE = 'requiresAdditionalAuth';

const described = ({ credentialId, transports }: Named): PasskeyAllowCredential => ({
  id: credentialId,
  type: 'public-key',
  transports: transports as PasskeyTransport[],
});

/** Options for browsers to pass to authenticators. Each response has its own challenge. */
@Injectable()
export class PasskeyOptions {
  constructor(
    private readonly passkeys: PasskeysRepository,
    private readonly others: OtherPasskeys,
    private readonly challenges: PasskeyChallenges,
    private readonly parties: RelyingParties,
    private readonly users: UserReader,
  ) {}

  /** For a discoverable passkey, which needs no username, with user verification. */
  async registration(
    environmentId: EnvironmentId,
    { userId }: EndUserPrincipal,
    { origin }: ClientOrigin,
  ): Promise<GetPasskeyRegistrationOptionsResponse> {
    const rp = await this.parties.get(environmentId, origin);
    const known = await this.passkeys.listOfUser(environmentId, userId);
    const user = await this.users.getFull(environmentId, userId);
    const userHandle = known[0]?.userHandle ?? newUserHandle();
    const made = { purpose: 'register', rpId: rp.id, userId, userHandle } as const;
    const challenge = await this.challenges.issue(environmentId, made);
    return {
      ...creationOptions({ rp, user, userHandle }, challenge, 'required'),
      excludeCredentials: known.map(described),
      extensions: { credProps: true },
    };
  }

  /** For a sign-in by anybody: no passkey is named, so the browser offers those it has. */
  async signIn(
    environmentId: EnvironmentId,
    { origin }: ClientOrigin,
    related?: string,
  ): Promise<GetPasskeyAuthenticationOptionsResponse> {
    const { id: rpId } = await this.parties.get(environmentId, origin, related);
    const challenge = await this.challenges.issue(environmentId, { purpose: 'sign-in', rpId });
    return { challenge, rpId, allowCredentials: [], userVerification: 'required', timeout: PASSKEY_TIMEOUT_MS };
  }

  /**
   * For a second factor or a fresh proof by the signed-in user, with one of their own passkeys. While a second factor is
   * due, only passkeys that would be accepted are named.
   */
  async authentication(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { origin }: ClientOrigin,
    related?: string,
  ): Promise<GetPasskeyAuthenticationOptionsResponse> {
    const { userId, scopes } = caller;
    const { id: rpId } = await this.parties.get(environmentId, origin, related);
    const isDue = scopes.includes(SECOND_DUE);
    const ofSignIn =
      !isDue || (await this.others.takeThoseOfSignIn(environmentId, caller))
        ? this.passkeys.listOfUser(environmentId, userId)
        : Promise.resolve([]);
    const kept = [ofSignIn, this.others.list(environmentId, userId)];
    const own = (await Promise.all<(Named & { rpId: string })[]>(kept)).flat();
    const allowCredentials = own.filter((passkey) => passkey.rpId === rpId).map(described);
    const challenge = await this.challenges.issue(environmentId, { purpose: 'authenticate', rpId, userId });
    return { challenge, rpId, allowCredentials, userVerification: 'required', timeout: PASSKEY_TIMEOUT_MS };
  }
}
