import { Injectable } from '@nestjs/common';
import { MergingPart, merges, type MergedTable } from '../database/index.js';
import { Credential } from './credentials/credential.entity.js';
import { IdentifierClaim } from './credentials/identifier-claim.entity.js';
import { CustomFieldValueRow } from './custom-fields/custom-field-value.entity.js';
import { DeviceRegistrationRow } from './devices/device-registration.entity.js';
import { PendingMerge } from './linking/pending-merge.entity.js';
import { UserMerge } from './linking/user-merge.entity.js';
import { PasskeyChallenge } from './methods/passkey/passkey-challenge.entity.js';
import { SignInLinkRow } from './methods/sign-in-link/sign-in-link.entity.js';
import { MfaDeviceRow } from './mfa/mfa-device.entity.js';
import { MfaRecoveryCodes } from './mfa/mfa-recovery-codes.entity.js';
import { MfaToken } from './mfa/mfa-token.entity.js';
import { Session } from './sessions/session.entity.js';

export const IDENTITY_MERGED: readonly MergedTable[] = [
  merges(Credential, {
    subject: 'userId',
    fate: 'settled',
    what: 'credentials, with passkeys and tokens of providers',
    why: 'the remaining user’s, with the former user in `previous_users`; the other’s again when the merge is undone',
  }),
  merges(IdentifierClaim, {
    subject: 'userId',
    fate: 'settled',
    what: 'claims of identifiers',
    why: 'the remaining user’s, proven at the time of the merge; a name goes with the profile',
  }),
  merges(CustomFieldValueRow, {
    subject: 'userId',
    fate: 'settled',
    what: 'unique values of custom fields',
    why: 'written again from the metadata that remain',
  }),
  merges(UserMerge, {
    subject: 'userId',
    fate: 'moved',
    what: 'merges into the user who goes',
    why: 'each can be undone once the ones after it are, and erasing the user also erases what was published about all of them',
  }),
  merges(PendingMerge, {
    subject: 'userId',
    fate: 'ended',
    what: 'offers to merge',
    why: 'good for five minutes, and made to one session',
  }),
  merges(Session, { subject: 'userId', fate: 'ended', what: 'sessions', why: 'both users are signed out everywhere' }),
  merges(MfaDeviceRow, {
    subject: 'userId',
    fate: 'settled',
    what: 'second factors',
    why: 'whoever has one is not merged away: a first factor does not undo the second; one that was being set up goes',
  }),
  merges(MfaRecoveryCodes, {
    subject: 'userId',
    fate: 'ended',
    what: 'recovery codes without a second factor',
    why: 'they stand in for second factors, of which there are none',
  }),
  merges(MfaToken, {
    subject: 'userId',
    fate: 'ended',
    what: 'proofs of second factors',
    why: 'good for minutes, and for one session',
  }),
  merges(SignInLinkRow, { subject: 'userId', fate: 'ended', what: 'links that sign in once', why: 'good for minutes' }),
  merges(PasskeyChallenge, {
    subject: 'userId',
    fate: 'ended',
    what: 'challenges for passkeys',
    why: 'good for minutes',
  }),
  merges(DeviceRegistrationRow, {
    subject: 'userId',
    fate: 'kept',
    what: 'confirmed devices',
    why: 'a device that one account has confirmed was not confirmed by the other: it is asked again',
  }),
];

@Injectable()
export class IdentityMerging extends MergingPart {
  readonly merging = IDENTITY_MERGED;
}
