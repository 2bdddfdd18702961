import { defineError } from '../common/errors/index.js';
import { SecurityEvent } from '../common/security/index.js';

export const schemeNotOffered = defineError({
  code: 'threshold_chain_not_offered',
  status: 422,
  message: 'Keys of this chain are not shared in this way.',
  hint: 'Use createWaasAccount, or SVM, SUI or TON with createWaasWallet, or make an embedded wallet (createEmbeddedWallets), whose keys the service holds.',
  cause:
    'Shared keys sign by FROST (RFC 9591) with Ed25519, and on Bitcoin with the signatures of Taproot. Keys of EVM are split, by the device of their user alone. Keys of Bitcoin are shared by both sides together, and never dealt by the service.',
  fix: 'Choose a chain that is offered.',
});

export const tooManyRooms = defineError({
  code: 'too_many_rooms',
  status: 422,
  message: 'The user has as many open rooms as a user may have.',
  hint: 'Use the rooms that are open, or wait a minute until they are over.',
  cause: 'A user may have 20 open rooms. Each is over after 60 seconds.',
  fix: 'Open rooms when they are needed, and use each of them.',
});

export const ceremoniesLocked = defineError({
  code: 'ceremonies_locked',
  status: 422,
  security: SecurityEvent.RateLimited,
  message: 'Too many ceremonies of this user were given up. There are none for a while.',
  hint: 'Wait an hour. Somebody sends shares that are not those of the key: see the failure of the rooms.',
  cause: 'Ten ceremonies of a user were given up within an hour, as they are when a participant sends wrong shares.',
  fix: 'Find out which device sends wrong shares, and recover its share from a backup. The lock ends by itself; operators end it with `npm run cli -- users unlock`.',
});

export const roomOver = defineError({
  code: 'room_over',
  status: 409,
  message: 'The room does not take this message.',
  hint: 'payload.state says how it stands. Open another room: each is good for one ceremony.',
  cause:
    'The ceremony is done or was given up, its time is over, nothing was begun in it, or another message was taken first.',
  fix: 'Begin the ceremony anew.',
});

export const ceremonyAborted = defineError({
  code: 'ceremony_aborted',
  status: 422,
  message: 'The ceremony was given up. Nothing was signed, and nothing of it can be used again.',
  hint: 'payload.reason says what was wrong, and payload.party which participant it came from. Open another room.',
  cause: 'A participant sent a share or a commitment that is not right for this key, room or message.',
  fix: 'Take part with the shares of this wallet, all of one generation, and send each message once.',
});

export const malformedCeremonyMessage = defineError({
  code: 'malformed_ceremony_message',
  status: 422,
  message: 'This is no message of a ceremony.',
  hint: 'payload.reason says what was found. docs/threshold.md has every message, byte by byte.',
  cause: 'The message lacks a field, has another, or one of them has another form.',
  fix: 'Build the message as docs/threshold.md says, or with the package clients/custody.',
});

export const keySharesChanged = defineError({
  code: 'key_shares_changed',
  status: 409,
  message: 'The shares of this key are others now than those that the ceremony was begun with.',
  hint: 'Begin again, with the shares of the generation that the first message of the room says.',
  cause: 'Another ceremony has refreshed or reshared the key meanwhile. Shares of different generations never combine.',
  fix: 'Use the shares that the finished ceremony made, and destroy the older ones.',
});

export const anotherScheme = defineError({
  code: 'another_threshold_scheme',
  status: 422,
  message: 'The key is not shared by oldThresholdSignatureScheme.',
  hint: 'payload.scheme says by which one it is.',
  cause: 'The key was reshared since the client has learned how it is shared, or never was shared so.',
  fix: 'Read the scheme of the wallet, and send it as oldThresholdSignatureScheme.',
});

export const reshareDelegatesNothing = defineError({
  code: 'reshare_delegates_nothing',
  status: 422,
  message: 'A share is neither delegated nor revoked by resharing here.',
  hint: 'Leave out delegateToProjectEnvironment and revokeDelegation, or send false.',
  cause: 'All shares of the service stay with the service: a ceremony that makes shares anew hands none of them on.',
  fix: 'Reshare without these fields.',
});

export const wholeKeyWaits = defineError({
  code: 'whole_key_waits',
  status: 422,
  message: 'A reshare that gives the user the whole key is not possible here.',
  hint: 'Export the key, which can be fetched once the delay of the deployment is over, or choose a scheme in which the service keeps a share that is needed.',
  cause:
    'The deployment has private keys wait before they leave (`KEY_EXPORT_DELAY_HOURS`), and after this reshare the shares of the user would be enough by themselves.',
  fix: 'Use `exportPrivateKey` where the wallet has it. Operators decide about the delay.',
});
