import { Get, Query } from '@nestjs/common';
import {
  Caller,
  Client,
  EndUser,
  Environment,
  RecentProofAccepted,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { EmbeddedWalletSecret, WalletSecretQuery } from './wallet-secret.dto.js';
import { WALLET_SECRET_RELEASED } from './wallet-secret.events.js';
import { MAX_SECRET_READS, SECRET_READ_HOURS } from './wallet-secrets.repository.js';
import { WalletSecretsService } from './wallet-secrets.service.js';

const READS = `${MAX_SECRET_READS} times in ${SECRET_READ_HOURS} hours, per wallet`;
const PROOF = 'Requires a proof from the last five minutes, which can be the sign-in. The user is notified by email.';

/** Secrets that open copies of the caller's shares. */
@ApiController('sdk/:environmentId/users/embeddedWallets', 'Sdk')
export class WalletSecretsController {
  constructor(private readonly secrets: WalletSecretsService) {}

  @Get('passcode')
  @Operation({
    id: 'getEmbeddedWalletPasscode',
    noHead: true,
    summary: 'Read the passcode of a pregenerated wallet',
    description: `Decrypts the shares that the service has dealt for a wallet created by createWaasWallet, as returned by recoverKeyShares. It is deleted with them when they are refreshed. ${PROOF} docs/threshold.md describes the steps.`,
    errors: [403, 422],
    sessionErrors: true,
    events: [WALLET_SECRET_RELEASED.name],
    limits: [READS],
  })
  @EndUser()
  @RecentProofAccepted('wallet:restore')
  @Returns(EmbeddedWalletSecret)
  getEmbeddedWalletPasscode(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Query() query: WalletSecretQuery,
  ) {
    return this.secrets.passcode(environmentId, { caller, client }, query);
  }

  @Get('backup')
  @Operation({
    id: 'getEmbeddedWalletBackups',
    noHead: true,
    summary: "Read the backup key of the user's embedded wallet",
    description: `32 random bytes with which a device encrypts copies stored elsewhere, in addition to the password: a copy that is found cannot be attacked by guessing passwords. Every call returns the same bytes. ${PROOF} docs/threshold.md describes the format of a copy.`,
    errors: [403, 422],
    sessionErrors: true,
    events: [WALLET_SECRET_RELEASED.name],
    limits: [READS],
  })
  @EndUser()
  @RecentProofAccepted('wallet:restore')
  @Returns(EmbeddedWalletSecret)
  getEmbeddedWalletBackups(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Query() query: WalletSecretQuery,
  ) {
    return this.secrets.backupKey(environmentId, { caller, client }, query);
  }
}
