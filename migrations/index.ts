import { CreateEvents20261120000100 } from './20261120000100-create-events.js';
import { CreateOrganizations20261120000200 } from './20261120000200-create-organizations.js';
import { CreateEnvironmentSettings20261120000300 } from './20261120000300-create-environment-settings.js';
import { CreateUsers20261120000400 } from './20261120000400-create-users.js';
import { CreateSessions20261120000500 } from './20261120000500-create-sessions.js';
import { CreateWallets20261120000600 } from './20261120000600-create-wallets.js';
import { CreateWebhooks20261120000700 } from './20261120000700-create-webhooks.js';
import { CreateAuditRecords20261121000100 } from './20261121000100-create-audit-records.js';
import { AddImplementationTimeline20261121001001 } from './20261121001001-add-implementation-timeline.js';
import { AddProjectDeletion20261121001002 } from './20261121001002-add-project-deletion.js';
import { CreateInvites20261121002001 } from './20261121002001-create-invites.js';
import { CreateOrganizationMfaSettings20261121002002 } from './20261121002002-create-organization-mfa-settings.js';
import { CreateSsoProviders20261121002003 } from './20261121002003-create-sso-providers.js';
import { AddSettingsVersions20261121003001 } from './20261121003001-add-settings-versions.js';
import { CreateEnvironmentSecrets20261121003002 } from './20261121003002-create-environment-secrets.js';
import { CreateTestAccounts20261121003003 } from './20261121003003-create-test-accounts.js';
import { CreateClientReports20261121003004 } from './20261121003004-create-client-reports.js';
import { CreateDeeplinkUrls20261121004001 } from './20261121004001-create-deeplink-urls.js';
import { CreateCustomHostnames20261121004002 } from './20261121004002-create-custom-hostnames.js';
import { CreateCustomNetworks20261121005001 } from './20261121005001-create-custom-networks.js';
import { CreateCustomFields20261121005002 } from './20261121005002-create-custom-fields.js';
import { CreateBilling20261121006001 } from './20261121006001-create-billing.js';
import { CountActiveUsers20261121006002 } from './20261121006002-count-active-users.js';
import { CreateAskedFields20261121010001 } from './20261121010001-create-asked-fields.js';
import { AddWebhookKeysAndHeaders20261121010101 } from './20261121010101-add-webhook-keys-and-headers.js';
import { AddWebhookPauses20261121010102 } from './20261121010102-add-webhook-pauses.js';
import { CreateWebhookNotices20261121010103 } from './20261121010103-create-webhook-notices.js';
import { AddWebhookOrdering20261121010104 } from './20261121010104-add-webhook-ordering.js';
import { CreateWebhookReplays20261121020101 } from './20261121020101-create-webhook-replays.js';
import { AddCauseToEvents20261121030101 } from './20261121030101-add-cause-to-events.js';
import { CreateIdempotencyKeys20261121040101 } from './20261121040101-create-idempotency-keys.js';
import { ConfigureProviders20261122050001 } from './20261122050001-configure-providers.js';
import { CreateScheduledJobs20261122030001 } from './20261122030001-create-scheduled-jobs.js';
import { AddWalletVersions20261122040101 } from './20261122040101-add-wallet-versions.js';
import { CreateGates20261122070101 } from './20261122070101-create-gates.js';
import { CreateClientEventCounts20261122120002 } from './20261122120002-create-client-event-counts.js';
import { CreateSmsVerifications20261122120001 } from './20261122120001-create-sms-verifications.js';
import { CreateAllowlists20261122070102 } from './20261122070102-create-allowlists.js';
import { CreateOauthAttempts20261122110001 } from './20261122110001-create-oauth-attempts.js';
import { AddHiddenWallets20261122040102 } from './20261122040102-add-hidden-wallets.js';
import { AddOauthConnections20261122010001 } from './20261122010001-add-oauth-connections.js';
import { CreateUsedElevations20261122010002 } from './20261122010002-create-used-elevations.js';
import { AskRequiredFields20261122010003 } from './20261122010003-ask-required-fields.js';
import { CreateMfa20261122140101 } from './20261122140101-create-mfa.js';
import { CreatePasskeys20261122135001 } from './20261122135001-create-passkeys.js';
import { CreatePasskeyChallenges20261122135002 } from './20261122135002-create-passkey-challenges.js';
import { CreateGlobalWallets20261122150001 } from './20261122150001-create-global-wallets.js';
import { CreateGlobalWalletConnections20261122150002 } from './20261122150002-create-global-wallet-connections.js';
import { CountCodesByNetwork20261122200001 } from './20261122200001-count-codes-by-network.js';
import { RememberReplacedTokens20261122200002 } from './20261122200002-remember-replaced-tokens.js';
import { CountVisitors20261122220001 } from './20261122220001-count-visitors.js';
import { AddEventSubjects20261122270001 } from './20261122270001-add-event-subjects.js';
import { CreateSigningPolicies20261122560001 } from './20261122560001-create-signing-policies.js';
import { CreateKeyImports20261122550001 } from './20261122550001-create-key-imports.js';
import { CreateWalletDelegations20261123130001 } from './20261123130001-create-wallet-delegations.js';
import { CreateDelegationKeys20261122560002 } from './20261122560002-create-delegation-keys.js';
import { CreateKeyLedger20261122250001 } from './20261122250001-create-key-ledger.js';
import { CreateWalletExports20261122250002 } from './20261122250002-create-wallet-exports.js';
import { CreateSignInLinks20261122210001 } from './20261122210001-create-sign-in-links.js';
import { CreateWalletRequests20261122250003 } from './20261122250003-create-wallet-requests.js';
import { CreateEnvironmentImports20261122660001 } from './20261122660001-create-environment-imports.js';

/** Every migration, oldest first. */
import { CreateMerges20261122240001 } from './20261122240001-create-merges.js';
import { CreateErasures20261122240002 } from './20261122240002-create-erasures.js';
import { CreateTelegramLogins20261122230001 } from './20261122230001-create-telegram-logins.js';
import { CreateOauthTokens20261122230002 } from './20261122230002-create-oauth-tokens.js';
import { ProveEmailDomains20261122580001 } from './20261122580001-prove-email-domains.js';
import { CreateNameServices20261122520003 } from './20261122520003-create-name-services.js';
import { CreateAccessGrants20261122520002 } from './20261122520002-create-access-grants.js';
import { CreateScreening20261122520001 } from './20261122520001-create-screening.js';
import { AddPasskeyFactors20261122510001 } from './20261122510001-add-passkey-factors.js';
import { CreateDevices20261122510002 } from './20261122510002-create-devices.js';
import { AddActorToEvents20261122570001 } from './20261122570001-add-actor-to-events.js';
import { AddDueTimeToErasures20261122570002 } from './20261122570002-add-due-time-to-erasures.js';
import { IndexAgeOfCodeDestinations20261122570003 } from './20261122570003-index-age-of-code-destinations.js';
import { AddPrivateMetadata20261122570004 } from './20261122570004-add-private-metadata.js';
import { CreateDeploymentBudgets20261122570005 } from './20261122570005-create-deployment-budgets.js';
import { CreateAnalytics20261122530001 } from './20261122530001-create-analytics.js';
import { CreateExchanges20261122540001 } from './20261122540001-create-exchanges.js';
import { CreateRampOrders20261122540002 } from './20261122540002-create-ramp-orders.js';
import { CreateExchangeTransfers20261122540003 } from './20261122540003-create-exchange-transfers.js';
import { CreateKeyCeremonies20261122610001 } from './20261122610001-create-key-ceremonies.js';
import { CreateExports20261122600001 } from './20261122600001-create-exports.js';
import { WidenCeremonyKinds20261123110001 } from './20261123110001-widen-ceremony-kinds.js';
import { CreateKeyShareBackups20261123120001 } from './20261123120001-create-key-share-backups.js';
import { CreateWalletRecovery20261123140001 } from './20261123140001-create-wallet-recovery.js';
import { DealKeyShares20261123180001 } from './20261123180001-deal-key-shares.js';
import { CreateWalletSecrets20261123180002 } from './20261123180002-create-wallet-secrets.js';
import { AddDealtKeys20261123180003 } from './20261123180003-add-dealt-keys.js';
import { KeepFiguresOfDepartedUsers20261123190017 } from './20261123190017-keep-figures-of-departed-users.js';
import { NameShareProtocols20261123195001 } from './20261123195001-name-share-protocols.js';
import { AddTimeOfAuthentication20261123200001 } from './20261123200001-add-time-of-authentication.js';
import { IndexUnansweredCeremonies20261123210001 } from './20261123210001-index-unanswered-ceremonies.js';
import { IndexAnsweredInvites20261123210002 } from './20261123210002-index-answered-invites.js';
import { KeepWindowsOfPeople20261123220001 } from './20261123220001-keep-windows-of-people.js';
import { NoteProofsOfOffers20261124010001 } from './20261124010001-note-proofs-of-offers.js';
import { KeepTotalsOfDeletedWallets20261124020001 } from './20261124020001-keep-totals-of-deleted-wallets.js';
import { KeepNamesOfPayoutsApart20261126150001 } from './20261126150001-keep-names-of-payouts-apart.js';
import { TakeSignInFromEmbeddedWallets20261127120001 } from './20261127120001-take-sign-in-from-embedded-wallets.js';
import { KeepRolesOfTokenMakers20261127130001 } from './20261127130001-keep-roles-of-token-makers.js';
import { NoteNetworksOfContractAccounts20261127150001 } from './20261127150001-note-networks-of-contract-accounts.js';
import { CompareEmailsBeyondAscii20261127160001 } from './20261127160001-compare-emails-beyond-ascii.js';
import { MarkSessionKeysThatWereMailed20261127170001 } from './20261127170001-mark-session-keys-that-were-mailed.js';
import { FillFormsOfEmails20261127190001 } from './20261127190001-fill-forms-of-emails.js';
import { IndexFormsOfEmails20261127190002 } from './20261127190002-index-forms-of-emails.js';
import { NoteDirectoriesOfOffers20261127200001 } from './20261127200001-note-directories-of-offers.js';
import { NoteWherePartsOfExportsEnd20261127210001 } from './20261127210001-note-where-parts-of-exports-end.js';
import { LeaveRolesOfTokensOpen20261127210002 } from './20261127210002-leave-roles-of-tokens-open.js';
import { CompareRecipientsOfPayouts20261127230001 } from './20261127230001-compare-recipients-of-payouts.js';
import { CountWallets20261128040000 } from './20261128040000-count-wallets.js';
import { CutReplacedTokens20261128050000 } from './20261128050000-cut-replaced-tokens.js';
import { CountWalletsOnce20261128060000 } from './20261128060000-count-wallets-once.js';
import { CountInFreeSlots20261128060001 } from './20261128060001-count-in-free-slots.js';
import { NoteRemovedSessions20261128060002 } from './20261128060002-note-removed-sessions.js';
import { IndexExpiryOfTokens20261128060003 } from './20261128060003-index-expiry-of-tokens.js';
import { IndexConnectionsByStatus20261128060004 } from './20261128060004-index-connections-by-status.js';
import { ForgiveGivenUpCeremonies20261128100000 } from './20261128100000-forgive-given-up-ceremonies.js';
import { NoteSecondFactorsOfSessions20261128100001 } from './20261128100001-note-second-factors-of-sessions.js';
import { IndexExpiryOfInvites20261128110000 } from './20261128110000-index-expiry-of-invites.js';
import { NoteKeysOfUpgradedWallets20261128120000 } from './20261128120000-note-keys-of-upgraded-wallets.js';
import { FillFormsOfLateEmails20261128131000 } from './20261128131000-fill-forms-of-late-emails.js';
import { FillKeysOfUpgradedWallets20261128132000 } from './20261128132000-fill-keys-of-upgraded-wallets.js';
import { KeepVisitsOfDepartedVisitors20261128136001 } from './20261128136001-keep-visits-of-departed-visitors.js';
import { KeepExportsForADay20261128143000 } from './20261128143000-keep-exports-for-a-day.js';
import { NameCredentialsOfOffers20261129140001 } from './20261129140001-name-credentials-of-offers.js';
import { CompareTextsOfCustomFields20261130150000 } from './20261130150000-compare-texts-of-custom-fields.js';
import { CompareAddresses20261201060000 } from './20261201060000-compare-addresses.js';
import { KeepKeysOfOrders20261201060001 } from './20261201060001-keep-keys-of-orders.js';
import { NoteBlockedUpgrades20261202020000 } from './20261202020000-note-blocked-upgrades.js';
import { DelayWalletExports20261123190001 } from './20261123190001-delay-wallet-exports.js';
import { NumberLedgerRowsFromOne20261127010001 } from './20261127010001-number-ledger-rows-from-one.js';
import { NumberAuditRecordsFromOne20261127010002 } from './20261127010002-number-audit-records-from-one.js';

export const migrations = [
  CreateEvents20261120000100,
  CreateOrganizations20261120000200,
  CreateEnvironmentSettings20261120000300,
  CreateUsers20261120000400,
  CreateSessions20261120000500,
  CreateWallets20261120000600,
  CreateWebhooks20261120000700,
  CreateAuditRecords20261121000100,
  AddImplementationTimeline20261121001001,
  AddProjectDeletion20261121001002,
  CreateInvites20261121002001,
  CreateOrganizationMfaSettings20261121002002,
  CreateSsoProviders20261121002003,
  AddSettingsVersions20261121003001,
  CreateEnvironmentSecrets20261121003002,
  CreateTestAccounts20261121003003,
  CreateClientReports20261121003004,
  CreateDeeplinkUrls20261121004001,
  CreateCustomHostnames20261121004002,
  CreateCustomNetworks20261121005001,
  CreateCustomFields20261121005002,
  CreateBilling20261121006001,
  CountActiveUsers20261121006002,
  CreateAskedFields20261121010001,
  AddWebhookKeysAndHeaders20261121010101,
  AddWebhookPauses20261121010102,
  CreateWebhookNotices20261121010103,
  AddWebhookOrdering20261121010104,
  CreateWebhookReplays20261121020101,
  AddCauseToEvents20261121030101,
  CreateIdempotencyKeys20261121040101,
  AddOauthConnections20261122010001,
  CreateUsedElevations20261122010002,
  AskRequiredFields20261122010003,
  CreateScheduledJobs20261122030001,
  AddWalletVersions20261122040101,
  AddHiddenWallets20261122040102,
  ConfigureProviders20261122050001,
  CreateGates20261122070101,
  CreateAllowlists20261122070102,
  CreateOauthAttempts20261122110001,
  CreateSmsVerifications20261122120001,
  CreateClientEventCounts20261122120002,
  CreatePasskeys20261122135001,
  CreatePasskeyChallenges20261122135002,
  CreateMfa20261122140101,
  CreateGlobalWallets20261122150001,
  CreateGlobalWalletConnections20261122150002,
  CountCodesByNetwork20261122200001,
  RememberReplacedTokens20261122200002,
  CreateSignInLinks20261122210001,
  CountVisitors20261122220001,
  CreateTelegramLogins20261122230001,
  CreateOauthTokens20261122230002,
  CreateMerges20261122240001,
  CreateErasures20261122240002,
  CreateKeyLedger20261122250001,
  CreateWalletExports20261122250002,
  CreateWalletRequests20261122250003,
  AddEventSubjects20261122270001,
  AddPasskeyFactors20261122510001,
  CreateDevices20261122510002,
  CreateScreening20261122520001,
  CreateAccessGrants20261122520002,
  CreateNameServices20261122520003,
  CreateAnalytics20261122530001,
  CreateExchanges20261122540001,
  CreateRampOrders20261122540002,
  CreateExchangeTransfers20261122540003,
  CreateKeyImports20261122550001,
  CreateSigningPolicies20261122560001,
  CreateDelegationKeys20261122560002,
  AddActorToEvents20261122570001,
  AddDueTimeToErasures20261122570002,
  IndexAgeOfCodeDestinations20261122570003,
  AddPrivateMetadata20261122570004,
  CreateDeploymentBudgets20261122570005,
  ProveEmailDomains20261122580001,
  CreateExports20261122600001,
  CreateKeyCeremonies20261122610001,
  CreateEnvironmentImports20261122660001,
  WidenCeremonyKinds20261123110001,
  CreateKeyShareBackups20261123120001,
  CreateWalletDelegations20261123130001,
  CreateWalletRecovery20261123140001,
  DealKeyShares20261123180001,
  CreateWalletSecrets20261123180002,
  AddDealtKeys20261123180003,
  DelayWalletExports20261123190001,
  KeepFiguresOfDepartedUsers20261123190017,
  NameShareProtocols20261123195001,
  AddTimeOfAuthentication20261123200001,
  IndexUnansweredCeremonies20261123210001,
  IndexAnsweredInvites20261123210002,
  KeepWindowsOfPeople20261123220001,
  NoteProofsOfOffers20261124010001,
  KeepTotalsOfDeletedWallets20261124020001,
  KeepNamesOfPayoutsApart20261126150001,
  NumberLedgerRowsFromOne20261127010001,
  NumberAuditRecordsFromOne20261127010002,
  TakeSignInFromEmbeddedWallets20261127120001,
  KeepRolesOfTokenMakers20261127130001,
  NoteNetworksOfContractAccounts20261127150001,
  CompareEmailsBeyondAscii20261127160001,
  MarkSessionKeysThatWereMailed20261127170001,
  FillFormsOfEmails20261127190001,
  IndexFormsOfEmails20261127190002,
  NoteDirectoriesOfOffers20261127200001,
  NoteWherePartsOfExportsEnd20261127210001,
  LeaveRolesOfTokensOpen20261127210002,
  CompareRecipientsOfPayouts20261127230001,
  CountWallets20261128040000,
  CutReplacedTokens20261128050000,
  CountWalletsOnce20261128060000,
  CountInFreeSlots20261128060001,
  NoteRemovedSessions20261128060002,
  IndexExpiryOfTokens20261128060003,
  IndexConnectionsByStatus20261128060004,
  ForgiveGivenUpCeremonies20261128100000,
  NoteSecondFactorsOfSessions20261128100001,
  IndexExpiryOfInvites20261128110000,
  NoteKeysOfUpgradedWallets20261128120000,
  FillFormsOfLateEmails20261128131000,
  FillKeysOfUpgradedWallets20261128132000,
  KeepVisitsOfDepartedVisitors20261128136001,
  KeepExportsForADay20261128143000,
  NameCredentialsOfOffers20261129140001,
  CompareTextsOfCustomFields20261130150000,
  CompareAddresses20261201060000,
  KeepKeysOfOrders20261201060001,
  NoteBlockedUpgrades20261202020000,
];
