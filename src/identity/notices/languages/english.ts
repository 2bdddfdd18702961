import type { AccountChange, CodeWords, Language, NewDeviceWords, TextMessageWords, Words } from '../account-words.js';

const IF_NOT_YOU =
  'If this was not you, sign in, remove anything you did not add, and contact the operator of the application.';

const CHANGES: Record<AccountChange, Words> = {
  credentialLinked: {
    subject: 'A sign-in method was added to your {brand} account',
    what: '{detail} was added to your account at {brand}. Anyone with access to it can sign in as you. You have been signed out on your other devices.',
    advice: IF_NOT_YOU,
  },
  credentialJoined: {
    subject: 'A sign-in method was added to your {brand} account',
    what: '{detail} was added to your account at {brand} when it was used to sign in. From now on, anyone with access to it can sign in as you.',
    advice: IF_NOT_YOU,
  },
  credentialUnlinked: {
    subject: 'A sign-in method was removed from your {brand} account',
    what: '{detail} was removed from your account at {brand}. You have been signed out on your other devices.',
    advice: IF_NOT_YOU,
  },
  mainContactChanged: {
    subject: 'Your contact details at {brand} were changed',
    what: '{detail} that you verified is now the primary one of your account at {brand}.',
    advice: IF_NOT_YOU,
  },
  walletMoved: {
    subject: 'A wallet left your account at {brand}',
    what: '{detail} was moved from your account at {brand} to another account by someone who signed with it. You have been signed out everywhere.',
    advice:
      'If this was not you, someone else has the key of the wallet: move its assets to another wallet, then contact the operator of the application.',
  },
  merged: {
    subject: 'Your {brand} accounts were merged',
    what: 'Your accounts at {brand} were merged into one, and you have been signed out everywhere. Sign in as before: all your sign-in methods now lead to the same account.',
    advice:
      'If this was not you, contact the operator of the application within seven days: until then it can be undone.',
  },
  unmerged: {
    subject: 'Your {brand} accounts were separated again',
    what: 'An operator has undone the merge of your accounts at {brand}. You have been signed out everywhere.',
    advice: 'If you did not ask for this, contact the operator of the application.',
  },
  erased: {
    subject: 'Your account at {brand} was erased',
    what: 'Your account at {brand} was erased, together with everything stored about you. This is the last message about it.',
    advice: 'If this was not you, contact the operator of the application.',
  },
  recoveryCodeUsed: {
    subject: 'A recovery code was used at {brand}',
    what: 'Someone signed in to your account at {brand} with one of your recovery codes. The code cannot be used again.',
    advice: IF_NOT_YOU,
  },
  factorAdded: {
    subject: 'A second factor was added at {brand}',
    what: 'A second factor was added to your account at {brand}. You will be asked for it when you sign in.',
    advice: IF_NOT_YOU,
  },
  factorRemoved: {
    subject: 'A second factor was removed at {brand}',
    what: 'A second factor was removed from your account at {brand}. You will no longer be asked for it.',
    advice: IF_NOT_YOU,
  },
  factorsReset: {
    subject: 'Your second factors were removed at {brand}',
    what: 'An administrator of {brand} has removed the second factors of your account. You can sign in without them and add new ones.',
    advice: 'If you did not ask for this, contact the administrators.',
  },
  passkeyAdded: {
    subject: 'A passkey was added at {brand}',
    what: 'A passkey was added to your account at {brand}. Anyone with access to it can sign in as you.',
    advice: IF_NOT_YOU,
  },
  passkeyRemoved: {
    subject: 'A passkey was removed at {brand}',
    what: 'A passkey was removed from your account at {brand}. You have been signed out on your other devices.',
    advice: IF_NOT_YOU,
  },
  deviceAdded: {
    subject: 'A new device was added to your {brand} account',
    what: 'A new device was confirmed for your account at {brand}.',
    advice: IF_NOT_YOU,
  },
};

const CREDENTIALS: Language['credentials'] = {
  blockchain: 'A wallet',
  email: 'An email address',
  oauth: 'A social account',
  passkey: 'A passkey',
  phoneNumber: 'A phone number',
  externalUser: 'An account at another service',
};

const NEW_DEVICE: NewDeviceWords = {
  subject: 'Confirm a new device at {brand}',
  what: 'Someone signed in to your account at {brand} on a new device.',
  entry: 'If it was you, enter this where you signed in: {token}',
  once: 'It works once, only there, and expires after {minutes} minutes. Do not share it with anyone.',
  advice:
    'If it was not you, do not share it: without it the sign-in on that device cannot be completed. Secure your sign-in methods.',
};

const ONE_TIME_CODE: CodeWords = {
  subject: '{code} is your code for {brand}',
  what: 'Your code for {brand} is {code}.',
  once: 'It works once and expires after {minutes} minutes. Enter it only where you asked for it, and do not share it with anyone.',
  advice: 'If you did not ask for it, you can ignore this message: nothing happens without the code.',
  sender: 'Sent by {host} for {brand}.',
};

const TEXT_MESSAGE: TextMessageWords = {
  full: '{code} is your code for {brand}. It works once, within {minutes} minutes. Do not share it.',
  short: '{code} is your code for {brand}. Do not share it.',
};

export const ENGLISH = {
  code: 'en',
  when: 'When',
  with: 'With',
  credentials: CREDENTIALS,
  newDevice: NEW_DEVICE,
  oneTimeCode: ONE_TIME_CODE,
  textMessage: TEXT_MESSAGE,
  changes: CHANGES,
} satisfies Language;
