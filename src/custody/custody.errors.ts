import { defineError } from '../common/errors/index.js';

export const notSupportedByCustodian = defineError({
  code: 'not_supported_by_custodian',
  status: 422,
  message: 'The wallet is kept in a way that does not allow this.',
  hint: 'See payload: the version of the wallet, and what its custodian cannot do.',
  cause:
    'Wallets of different versions are held by different custodians, and the one of this wallet lacks what the operation needs.',
  fix: 'Use a wallet of another version, or have the operator add a custodian that can do it.',
});

export const noCompatibleWalletService = defineError({
  code: 'no_compatible_wallet_service_enabled',
  status: 422,
  message: 'This deployment has no custodian for wallets of that version.',
  hint: 'Set sdk.embeddedWallets.defaultWalletVersion to a version that is available, such as V1.',
  cause: 'The settings of the environment, or the wallet, name a version that nobody holds keys for here.',
  fix: 'Change the default wallet version in the settings, or have the operator register a custodian.',
});
