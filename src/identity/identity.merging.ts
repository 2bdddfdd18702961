import { Injectable } from '@nestjs/common';
import { MergingPart, type MergedTable } from '../database/index.js';

export const IDENTITY_MERGED: readonly MergedTable[] = [
  {
    table: 'credentials',
    fate: 'settled',
    what: 'credentials, with passkeys and tokens of providers',
    why: 'the remaining user’s, with the former user in `previous_users`; the other’s again when the merge is undone',
  },
  {
    table: 'identifier_claims',
    fate: 'settled',
    what: 'claims of identifiers',
    why: 'the remaining user’s, proven at the time of the merge; a name goes with the profile',
  },
  {
    table: 'custom_field_values',
    fate: 'settled',
    what: 'unique values of custom fields',
    why: 'written again from the metadata that remain',
  },
  {
    table: 'user_merges',
    fate: 'moved',
    what: 'merges into the user who goes',
    why: 'each can be undone once the ones after it are, and whoever is erased takes what was told of all of them along',
  },
  {
    table: 'pending_merges',
    fate: 'ended',
    what: 'offers to merge',
    why: 'good for five minutes, and made to one session',
  },
  {
    table: 'sessions',
    fate: 'ended',
    what: 'sessions',
    why: 'both users are signed out everywhere',
  },
  {
    table: 'mfa_devices',
    fate: 'settled',
    what: 'second factors',
    why: 'whoever has one is not merged away: a first factor does not undo the second; one that was being set up goes',
  },
  {
    table: 'mfa_recovery_codes',
    fate: 'ended',
    what: 'recovery codes without a second factor',
    why: 'they stand in for second factors, of which there are none',
  },
  {
    table: 'mfa_tokens',
    fate: 'ended',
    what: 'proofs of second factors',
    why: 'good for minutes, and for one session',
  },
  {
    table: 'sign_in_links',
    fate: 'ended',
    what: 'links that sign in once',
    why: 'good for minutes',
  },
  {
    table: 'passkey_challenges',
    fate: 'ended',
    what: 'challenges for passkeys',
    why: 'good for minutes',
  },
  {
    table: 'device_registrations',
    fate: 'kept',
    what: 'confirmed devices',
    why: 'a device that one account has confirmed was not confirmed by the other: it is asked again',
  },
];

@Injectable()
export class IdentityMerging extends MergingPart {
  readonly merging = IDENTITY_MERGED;
}
