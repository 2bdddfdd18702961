import type { ErrorFactory } from '../../../common/errors/index.js';
import { embeddedWalletProvesNobody } from '../../credentials/identifier.errors.js';
import type { Decision } from '../../linking/decisions.js';
import {
  blockedUserCannotTransferWallet,
  embeddedWalletAddressAlreadyLinked,
  reassignWalletConfirm,
  reassignWalletError,
  socialAccountAlreadyExists,
} from '../../linking/linking.errors.js';
import { credentialAlreadyLinked, emailAlreadyExists } from '../flow.errors.js';

/** The errors of decisions that refuse. A known passkey is refused earlier, by its method. */
export const REFUSALS: Partial<Record<Decision, ErrorFactory>> = {
  reassign_wallet_confirm: reassignWalletConfirm,
  reassign_wallet_error: reassignWalletError,
  embedded_wallet_address_already_linked: embeddedWalletAddressAlreadyLinked,
  embedded_wallet_proves_nobody: embeddedWalletProvesNobody,
  blocked_user_cannot_transfer_wallet: blockedUserCannotTransferWallet,
  email_already_exists: emailAlreadyExists,
  social_account_already_exists: socialAccountAlreadyExists,
  credential_already_linked: credentialAlreadyLinked,
};
