import { Body, Post, Put, UseInterceptors } from '@nestjs/common';
import {
  Caller,
  Client,
  EndUser,
  Environment,
  FreshProof,
  RecentProofAccepted,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import {
  SessionCookies,
  SESSION_REVOKED,
  NOTIFIED_CHANGES_LIMIT,
  USER_UPDATED,
  VerifyResponse,
} from '../../identity/index.js';
import { EmailAuth } from './email-auth.service.js';
import { PasskeyRecoveryCompletion } from './passkey-recovery-completion.service.js';
import { PasskeyRecovery } from './passkey-recovery.service.js';
import { RECOVERY_TRIES } from './passkey-recoveries.repository.js';
import {
  CompletePasskeyRecoveryRequest,
  InitEmailAuthRequest,
  InitEmailAuthResponse,
  InitPasskeyRecoveryRequest,
  InitPasskeyRecoveryResponse,
  UpdateRecoveryEmailRequest,
} from './recovery.dto.js';
import { RecoveryEmail, UPDATE_EMAIL } from './recovery-email.service.js';
import { PASSKEY_RECOVERY_COMPLETED, PASSKEY_RECOVERY_STARTED, RECOVERY_EMAIL_UPDATED } from './recovery.events.js';
import { RECOVERY_MAILS } from './recovery-mails.js';

const MAILS = `${RECOVERY_MAILS.limit} wallet codes per hour and user`;
const MINUTES = 'a code expires after 15 minutes';

/** Recovery of access to wallets through the user's mailbox. */
@ApiController('sdk/:environmentId/users/embeddedWallets', 'Sdk')
export class RecoveryController {
  constructor(
    private readonly recoveryEmail: RecoveryEmail,
    private readonly emailAuth: EmailAuth,
    private readonly recovery: PasskeyRecovery,
    private readonly completion: PasskeyRecoveryCompletion,
  ) {}

  @Put('recoveryEmail')
  @Operation({
    id: 'updateEmbeddedWalletRecoveryEmail',
    summary: 'Change the recovery email with a signed request',
    description: `Codes and notices about the user's wallets are sent there. The signed request has the type \`${UPDATE_EMAIL}\` and the parameters \`userId\` (\`keyvaultUserId\` of the wallet) and \`userEmail\`; for an address that is not a verified one of the account also \`verificationUUID\` and \`verificationToken\`, from a code that createEmailVerification sent to it. The old and the new address are notified. docs/wallet-recovery.md shows an example.`,
    errors: [403, 422],
    events: [RECOVERY_EMAIL_UPDATED.name],
    limits: [NOTIFIED_CHANGES_LIMIT],
  })
  @EndUser()
  @FreshProof('credential:update')
  @ReturnsNothing()
  updateEmbeddedWalletRecoveryEmail(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() { keyvaultSignedRequest }: UpdateRecoveryEmailRequest,
  ) {
    return this.recoveryEmail.update(environmentId, caller, keyvaultSignedRequest, client);
  }

  @Post('emailAuth')
  @Operation({
    id: 'initEmailAuth',
    summary: 'Start email authentication for an embedded wallet',
    description:
      "Creates a session key that stamps requests, and emails it to the recovery email or else to the account's address, sealed to the client's key so that only the client can open it. Otherwise such a key requires a recent proof (registerSessionKey). docs/wallet-recovery.md shows how to open it.",
    errors: [403, 422, 503],
    sessionErrors: true,
    limits: [MAILS, MINUTES],
  })
  @EndUser()
  @Returns(InitEmailAuthResponse)
  initEmailAuth(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Body() request: InitEmailAuthRequest,
  ) {
    return this.emailAuth.begin(environmentId, caller, request);
  }

  @Post('passkeyRecovery')
  @Operation({
    id: 'initPasskeyRecovery',
    summary: 'Start passkey recovery of a wallet',
    description:
      "Emails a code to the recovery email or else to the account's address; every address of the user is notified of the request. Create the new passkey with the options of getPasskeyRegistrationOptions, using the code as `challenge`. An earlier recovery ends once the mail has left.",
    errors: [403, 422, 503],
    sessionErrors: true,
    limits: [MAILS, MINUTES],
    events: [PASSKEY_RECOVERY_STARTED.name],
  })
  @EndUser()
  @Returns(InitPasskeyRecoveryResponse, { status: 201 })
  initPasskeyRecovery(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() request: InitPasskeyRecoveryRequest,
  ) {
    return this.recovery.begin(environmentId, caller, request, client);
  }

  @Put('passkeyRecovery')
  @Operation({
    id: 'completePasskeyRecovery',
    summary: 'Finish passkey recovery with a new attestation',
    description:
      'Only by the session that started it. The new passkey replaces all passkeys that the user signs in with; the other sessions of the user end, and every address is notified.',
    errors: [403, 422, 503],
    limits: [`${RECOVERY_TRIES} attempts per code`, '10 calls per minute and client address'],
    events: [PASSKEY_RECOVERY_COMPLETED.name, USER_UPDATED.name, SESSION_REVOKED.name],
    sessionErrors: true,
  })
  @EndUser()
  @RecentProofAccepted('credential:link')
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse, { status: 201 })
  completePasskeyRecovery(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() request: CompletePasskeyRecoveryRequest,
  ) {
    return this.completion.complete(environmentId, caller, request, client);
  }
}
