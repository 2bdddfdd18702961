import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../../auth/index.js';
import { notFound, validationFailed } from '../../../common/errors/index.js';
import { UnitOfWork, type EnvironmentId } from '../../../database/index.js';
import { SignInMethods } from '../../flows/proofs/sign-in-method.js';
import { AccountNotices } from '../../notices/account-notices.js';
import { SessionIssuer } from '../../sessions/session-issuer.js';
import { UsersService } from '../../users/users.service.js';
import { CREDENTIAL_FORMATS } from '../../vocabulary/users.js';
import type { GetUserPasskeysResponse, UpdateUserPasskeyRequest } from './passkey.dto.js';
import type { UserPasskey } from '../../users/user-passkey.dto.js';
import { lastSignInCredential } from '../../linking/linking.errors.js';
import { passkeyNotFound } from './passkey.errors.js';
import { PasskeysRepository, type PasskeyRow } from './passkeys.repository.js';

const MAX_ALIAS = 100;

/** The signed-in user's passkeys. */
@Injectable()
export class Passkeys {
  constructor(
    private readonly passkeys: PasskeysRepository,
    private readonly methods: SignInMethods,
    private readonly users: UsersService,
    private readonly sessions: SessionIssuer,
    private readonly notices: AccountNotices,
    private readonly work: UnitOfWork,
  ) {}

  async list(environmentId: EnvironmentId, { userId }: EndUserPrincipal): Promise<GetUserPasskeysResponse> {
    const passkeys = (await this.passkeys.listOfUser(environmentId, userId)).map(shown);
    return { passkeys, count: passkeys.length };
  }

  /** @throws ApiError 400 for an overlong name, 404 */
  async rename(
    environmentId: EnvironmentId,
    { userId }: EndUserPrincipal,
    { id, alias }: UpdateUserPasskeyRequest,
  ): Promise<UserPasskey> {
    if (alias !== undefined && alias.length > MAX_ALIAS) {
      const message = `alias must not be longer than ${MAX_ALIAS} characters`;
      throw validationFailed({ payload: { fields: [{ field: 'alias', message }] } });
    }
    const passkey = await this.passkeys.rename(environmentId, userId, id.toLowerCase(), alias);
    if (!passkey) throw notFound();
    return shown(passkey);
  }

  /**
   * Ends the user's other sessions.
   * @throws ApiError 422 `passkey_not_found`, `cannot_delete_last_sign_in_verified_credential`
   */
  async remove(
    environmentId: EnvironmentId,
    { userId, sessionId }: EndUserPrincipal,
    passkeyId: string,
    { userAgent }: ClientOrigin,
  ): Promise<void> {
    const id = passkeyId.toLowerCase();
    const formats = CREDENTIAL_FORMATS.values.filter((format) => this.methods.canProve(format));
    const addresses = await this.notices.addressesOf(environmentId, userId);
    await this.work.run(async (tx) => {
      if (!(await this.passkeys.hold(environmentId, userId, id, tx))) throw passkeyNotFound();
      if (!(await this.passkeys.remove(environmentId, userId, id, formats, tx))) throw lastSignInCredential();
      await this.sessions.endOthers(environmentId, userId, sessionId, tx);
      await this.users.change(environmentId, userId, {}, userId, tx);
    });
    await this.notices.tell(environmentId, addresses, { change: 'passkeyRemoved', userAgent });
  }
}

const shown = ({ id, credentialId, alias, userAgent, origin, createdAt, updatedAt }: PasskeyRow): UserPasskey => ({
  id,
  credentialId,
  origin,
  createdAt,
  updatedAt,
  ...(alias !== null && { alias }),
  ...(userAgent !== null && { userAgent }),
});
