import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';
import { MAX_BACKUPS } from './backups.repository.js';
import { MAX_RECOVERIES, RECOVERY_HOURS } from './recoveries.repository.js';

export const backupMissing = defineError({
  code: 'key_share_backup_missing',
  status: 422,
  message: 'The service keeps no copy of the shares of this wallet.',
  hint: 'Store one with backupKeyShares, while a device has the shares.',
  cause: 'backupKeyShares was not called for this wallet since its shares were made or replaced.',
  fix: 'Back up on a device that has the shares. Read a copy that is stored elsewhere, such as in a cloud drive, from there.',
});

export const backupStale = defineError({
  code: 'key_share_backup_stale',
  status: 422,
  message: 'The copy contains shares that have since been replaced and can no longer sign.',
  hint: 'Use a copy that was made after the last refresh or reshare.',
  cause:
    'Shares of different generations never combine, so a copy of earlier shares is neither returned nor stored in place of a current one. For a refused backup, payload.generation is the generation in use.',
  fix: 'Recover from a newer copy, or back up again on a device that has the current shares.',
});

export const tooManyRecoveries = defineError({
  code: 'too_many_recoveries',
  status: 422,
  security: SecurityEvent.RateLimited,
  message: 'The encrypted shares of this wallet were returned too often.',
  hint: 'Wait for payload.retryAfterSeconds. Meanwhile, a copy that is already on a device can be used there.',
  cause: `Encrypted shares leave the service ${MAX_RECOVERIES} times in ${RECOVERY_HOURS} hours, so that nobody can collect them to guess passwords.`,
  fix: 'Keep the copy until it is decrypted. If it was not you, end all sessions and change how you sign in.',
});

export const backupPlaceRefused = defineError({
  code: 'backup_location_not_recorded',
  status: 422,
  message: 'A copy at this location is not recorded by this operation.',
  hint: 'Store a copy at `platform` with backupKeyShares. A delegated share (`delegated`) is no backup, and shared keys have none.',
  cause:
    'The service itself stores the copy at `platform`, so clients cannot record it, and a delegated share cannot be used for recovery.',
  fix: 'Record `googleDrive`, `icloud` or `external` here.',
});

export const backupSchemeDiffers = defineError({
  code: 'backup_scheme_differs',
  status: 422,
  message: 'The copy contains shares of another scheme than the wallet’s.',
  hint: 'payload.scheme is the scheme of the wallet.',
  cause: '`thresholdSignatureScheme` differs from the scheme of the current shares.',
  fix: 'Back up the current shares of the wallet.',
});

export const tooManyBackups = defineError({
  code: 'too_many_backups',
  status: 422,
  message: 'The wallet has reached the limit of recorded copies.',
  hint: 'Use the same externalKeyShareId for a copy that replaces another one.',
  cause: `Clients record ${MAX_BACKUPS} copies of the shares of a wallet at most. What the service stores itself does not count.`,
  fix: 'Record copies again under the ids that they have, not as new ones.',
});

export const driveNotConnected = defineError({
  code: 'cloud_drive_not_connected',
  status: 422,
  message: 'The user has no linked Google account whose drive the service may write to.',
  hint: 'Link a Google account, with the scope https://www.googleapis.com/auth/drive.appdata.',
  cause: 'The user has not signed in with Google, or the tokens of that sign-in were not kept.',
  fix: 'Have the user link the account, or store the copy in the drive with the client and record it with backupKeySharesToLocation.',
});

export const driveRefused = defineError({
  code: 'cloud_drive_refused',
  status: 422,
  message: "Google does not let the service write to the user's drive.",
  hint: 'The sign-in with Google has to request the scope https://www.googleapis.com/auth/drive.appdata.',
  cause: 'The token of the user lacks the scope for application data, was revoked, or the drive is full.',
  fix: 'Add the scope to the Google provider of the environment and have the user link the account again; or store the copy with the client and record it with backupKeySharesToLocation.',
});
