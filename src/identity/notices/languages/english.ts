import type { AccountChange, CodeWords, Language, NewDeviceWords, Words } from '../account-words.js';

const IF_NOT_YOU = 'If this was not you, sign in, remove what is not yours, and tell whoever runs the application.';

const CHANGES: Record<AccountChange, Words> = {
  credentialLinked: {
    subject: 'A way to sign in was added at {brand}',
    what: '{detail} was added to your account at {brand}: whoever has it can sign in as you. You are signed out on your other devices.',
    advice: IF_NOT_YOU,
  },
  credentialJoined: {
    subject: 'A way to sign in was added at {brand}',
    what: '{detail} came to your account at {brand} with a sign-in: whoever has it can sign in as you from now on.',
    advice: IF_NOT_YOU,
  },
  credentialUnlinked: {
    subject: 'A way to sign in was removed at {brand}',
    what: '{detail} was removed from your account at {brand}. You are signed out on your other devices.',
    advice: IF_NOT_YOU,
  },
  mainContactChanged: {
    subject: 'Your contact details at {brand} were changed',
    what: '{detail} that you have proven is now the main one of your account at {brand}.',
    advice: IF_NOT_YOU,
  },
  walletMoved: {
    subject: 'A wallet left your account at {brand}',
    what: '{detail} was moved from your account at {brand} to another one, by somebody who signed with it. You are signed out everywhere.',
    advice:
      'If this was not you, somebody else has the key of the wallet: move what it holds, then tell whoever runs the application.',
  },
  merged: {
    subject: 'Two accounts became one at {brand}',
    what: 'Your accounts at {brand} were made one, and you are signed out everywhere. Sign in as you did before; all your ways to sign in lead to the one account.',
    advice: 'If this was not you, tell whoever runs the application within seven days: until then it can be undone.',
  },
  unmerged: {
    subject: 'Your accounts at {brand} are two again',
    what: 'An operator has undone the merge of your accounts at {brand}. You are signed out everywhere.',
    advice: 'If you did not ask for this, tell whoever runs the application.',
  },
  erased: {
    subject: 'Your account at {brand} was erased',
    what: 'Your account at {brand} was erased, and everything that was kept about you with it. This is the last message about it.',
    advice: 'If this was not you, tell whoever runs the application.',
  },
  recoveryCodeUsed: {
    subject: 'A recovery code was used at {brand}',
    what: 'Somebody signed in to your account at {brand} with one of your recovery codes. It is used up.',
    advice: IF_NOT_YOU,
  },
  factorAdded: {
    subject: 'A second factor was added at {brand}',
    what: 'A second factor was added to your account at {brand}: it is asked for when you sign in.',
    advice: IF_NOT_YOU,
  },
  factorRemoved: {
    subject: 'A second factor was removed at {brand}',
    what: 'A second factor of your account at {brand} was removed, and is not asked for any more.',
    advice: IF_NOT_YOU,
  },
  factorsReset: {
    subject: 'Your second factors were removed at {brand}',
    what: 'An administrator of {brand} has removed the second factors of your account. You can sign in without them, and register new ones.',
    advice: 'If you did not ask for it, tell the administrators.',
  },
  passkeyAdded: {
    subject: 'A passkey was added at {brand}',
    what: 'A passkey was added to your account at {brand}: whoever has it can sign in as you.',
    advice: IF_NOT_YOU,
  },
  passkeyRemoved: {
    subject: 'A passkey was removed at {brand}',
    what: 'A passkey was removed from your account at {brand}. You are signed out on your other devices.',
    advice: IF_NOT_YOU,
  },
  deviceAdded: {
    subject: 'A new device at {brand}',
    what: 'A new device of your account at {brand} was confirmed.',
    advice: IF_NOT_YOU,
  },
};

const CREDENTIALS: Language['credentials'] = {
  blockchain: 'A wallet',
  email: 'An email address',
  oauth: 'A social account',
  passkey: 'A passkey',
  phoneNumber: 'A phone number',
  externalUser: 'An account of another service',
};

const NEW_DEVICE: NewDeviceWords = {
  subject: 'Confirm a new device at {brand}',
  what: 'Somebody signed in to your account at {brand} on a device that is new.',
  entry: 'If it was you, enter this where you signed in: {token}',
  once: 'It works once, within {minutes} minutes, and only there. Give it to nobody.',
  advice: 'If it was not you, give it to nobody: without it that device gets no further. Change how you sign in.',
};

const ONE_TIME_CODE: CodeWords = {
  subject: '{code} is your code for {brand}',
  what: 'Your code for {brand} is {code}.',
  once: 'It works once, within {minutes} minutes. Enter it only where you asked for it, and give it to nobody.',
  advice: 'If you did not ask for it, ignore this message: without the code nothing happens.',
  sender: 'Sent by {host} for {brand}.',
};

export const ENGLISH = {
  code: 'en',
  when: 'When',
  with: 'With',
  credentials: CREDENTIALS,
  newDevice: NEW_DEVICE,
  oneTimeCode: ONE_TIME_CODE,
  changes: CHANGES,
} satisfies Language;
