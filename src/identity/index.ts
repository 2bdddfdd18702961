export { IdentityModule } from './identity.module.js';
export {
  AssuranceRequirement,
  AssuranceRequirements,
  type AssuranceSubject,
  type Outstanding,
} from './assurance/requirements.js';
export { CodeWaits } from './codes/code-waits.js';
export { PEPPER_CONTEXT, PEPPER_NAME } from './codes/pepper.js';
export { CredentialWriter } from './credentials/credential-writer.js';
export { isEmbedded } from './credentials/embedded.js';
export {
  normaliseEmail,
  normalisePhone,
  type EmailIdentifier,
  type IdentifierKind,
  type PhoneCountry,
  type PhoneIdentifier,
} from './credentials/identifiers.js';
export { ambiguousIdentifier, invalidEmail, invalidPhone, invalidUser } from './credentials/identifier.errors.js';
export { AddressHolder, HeldAddresses, type AddressKey } from './credentials/held-addresses.js';
export type { ClaimableIdentifier, Identifier } from './credentials/identifier-key.js';
export type { NewCredential } from './credentials/new-credential.js';
export { VerifiedCredential, WalletAdditionalAddress } from './credentials/verified-credential.dto.js';
export { WaasWalletSettings, WalletKeyShareInfo, WalletProperties } from './credentials/wallet-properties.dto.js';
export {
  CUSTOM_FIELD_CREATED,
  CUSTOM_FIELD_DELETED,
  CUSTOM_FIELD_UPDATED,
} from './custom-fields/custom-field.events.js';
export { CustomFieldsService } from './custom-fields/custom-fields.service.js';
export { Captcha } from './flows/captcha/captcha.js';
export { ContactCheck, ContactChecks, type ProfileAnswer, type StartedCheck } from './flows/profile/contact-check.js';
export { DuplicateMerges } from './accounts/duplicate-merges.service.js';
export { PersonExport, type PersonFile } from './accounts/person-export.js';
export { deviceMail } from './devices/device-mail.js';
export { SentRecordsRegistry, type Forgotten, type SentRecords } from './accounts/sent-records.js';
export { Unmerges } from './accounts/unmerges.service.js';
export { causedBy, verdictOfContract } from './messages/smart-accounts.js';
export { mergeAccountsInvalid } from './linking/linking.errors.js';
export { LinkFlow, type LinkOptions } from './flows/link/link.flow.js';
export { ProviderTokenStore, type Assurance, type Proof, type ShownIdentifier } from './flows/proofs/proof.js';
export { AdmittedChanges } from './flows/admission/admitted-changes.js';
export { SessionAnswer } from './flows/sessions/session-answer.js';
export {
  PreparationNeeded,
  SignInCheck,
  SignInChecks,
  Undecided,
  type Admission,
} from './flows/admission/sign-in-checks.js';
export { SignInEffect, SignInEffects } from './flows/admission/sign-in-effects.js';
export { OneAnswerMethod, SignInMethod, SignInMethods } from './flows/proofs/sign-in-method.js';
export { UpdateSelfResponse, VerifyResponse } from './flows/sign-in.dto.js';
export { SignInFlow, type SignInOptions } from './flows/sign-in/sign-in.flow.js';
export { SessionCookies } from './sessions/session-cookies.interceptor.js';
export type { SignedIn } from './sessions/signed-in.js';
export type { FactorClass } from './vocabulary/factors.js';
export { CREDENTIAL_FORMATS, type CredentialFormat } from './vocabulary/users.js';
export { codeMail } from './methods/email-code/code-mail.js';
export { EmailCodeMethod } from './methods/email-code/email-code.method.js';
export { PasskeyRecoveryMethod } from './methods/passkey/passkey-recovery.method.js';
export { SignInLinks, type LinkedMember } from './methods/sign-in-link/sign-in-links.service.js';
export { WalletProof, WalletProofs, type SignedText } from './methods/wallet/wallet-proof.js';
export { OauthTokens } from './methods/oauth/tokens/oauth-tokens.service.js';
export { MOST_RECIPIENTS } from './credentials/most-recipients.js';
export { accountMail } from './notices/account-mail.js';
export { ACCOUNT_CHANGES } from './notices/account-words.js';
export { FactorWaits } from './mfa/factor-waits.js';
export { MAIL_LANGUAGES } from './notices/languages.js';
export { NOTIFIED_CHANGES_LIMIT, NotifiedChanges } from './notices/notified-changes.js';
export { NonceStore } from './nonces/nonce-store.js';
export { MissingField } from './custom-fields/missing-field.dto.js';
export type { FullUser } from './users/full-user.js';
export {
  UserFacets,
  type CredentialFollower,
  type HeldAddress,
  type Move,
  type NewUserAttachments,
  type NewUserWallet,
  type ConnectedWallet,
  type ProvenIdentifier,
  type UserFacet,
} from './users/user-facets.js';
export { UserIdentities, type EnsureOptions, type EnsuredUser, type ForeseenUser } from './users/user-identities.js';
export { UserCreation } from './users/user-creation.js';
export { UsersImport, type ImportedUser } from './users/import/users-import.service.js';
export { UserOwner } from './users/user-owner.js';
export { UserWallet } from './users/user-parts.dto.js';
export { ClientEvents } from './visits/client-events.service.js';
export { UserReader } from './users/user-reader.js';
export { CreateWalletRequest } from './users/user-request.dto.js';
export { HandleDirectory, NameHandles } from './users/name-handles.js';
export { WalletCheck, WalletChecks } from './users/wallet-checks.js';
export { SdkUser, User, UserResponse } from './users/user.dto.js';
export { USER_CREATED, USER_DELETED, USER_UPDATED, userEvent } from './users/user.events.js';
export { CHAINS, WALLET_ADDRESS_TYPES, chainOf, namespaceOf, storedNamesOf, type Chain } from './vocabulary/chains.js';
export { PROVIDER_KINDS, type ProviderKind } from './vocabulary/providers.js';
export { RULE_CODES, findRuleCode, type RuleCode } from './vocabulary/rule-codes.js';
export {
  AUTH_MODES,
  EMBEDDED_WALLET_VERSIONS,
  PASSWORD_SOURCES,
  THRESHOLD_SCHEMES,
  WALLET_PROVIDERS,
  type WalletProvider,
} from './vocabulary/wallets.js';
export { invalidSessionPublicKey } from './sessions/session.errors.js';
export { PurposeTokens } from './sessions/purpose-tokens.js';
export { ServiceSessions } from './sessions/service-sessions.js';
export { SessionCuts } from './sessions/session-cuts.js';
export { SESSION_CREATED, SESSION_REVOKED } from './sessions/session.events.js';
