import type { KeyLanguage } from '../key-words.js';

const MOVE_AWAY =
  'If this was not you, move the assets in the wallet to another one, and contact the operator of the application.';
const SOMEBODY_ELSE =
  'If this was not you, someone else is using your account: contact the operator of the application, who can sign you out everywhere.';

export const ENGLISH: KeyLanguage = {
  code: 'en',
  when: 'When',
  with: 'With',
  changes: {
    exported: {
      subject: 'A wallet key was exported at {brand}',
      what: 'The private key of your wallet {address} at {brand} was requested. Anyone who has it can move everything in that wallet.',
      advice: MOVE_AWAY,
    },
    exportBegun: {
      subject: 'A wallet key is about to be exported at {brand}',
      what: 'The private key of your wallet {address} at {brand} was requested. It can be retrieved from {until}, and anyone who has it can move everything in that wallet.',
      advice:
        'If this was not you, hide the wallet in the application before then to cancel the export. Also contact the operator of the application, who can sign you out everywhere.',
    },
    wholeKeyAsked: {
      subject: 'A wallet key was requested at {brand}',
      what: 'More shares of the key of your wallet {address} at {brand} were requested. Anyone who has them can move everything in that wallet without {brand}.',
      advice: MOVE_AWAY,
    },
    secretAsked: {
      subject: 'The secret for a wallet backup was requested at {brand}',
      what: 'The secret that decrypts copies of your key share of the wallet {address} was requested at {brand}. Anyone who has it and such a copy can use that share.',
      advice:
        'If this was not you, someone else is using your account: refresh the key shares of the wallet, and contact the operator of the application, who can sign you out everywhere.',
    },
    imported: {
      subject: 'A wallet was imported at {brand}',
      what: 'The wallet {address} was imported into your account at {brand} with its private key. From now on {brand} holds a copy of that key.',
      advice: SOMEBODY_ELSE,
    },
    recoveryEmailChanged: {
      subject: 'The recovery address of your wallets at {brand} was changed',
      what: 'From now on, codes and notices about your wallets at {brand} go to another address.',
      advice: SOMEBODY_ELSE,
    },
    passkeyRecoveryBegun: {
      subject: 'Someone is about to replace your passkeys at {brand}',
      what: 'A code was requested that replaces all passkeys of your account at {brand}, which has the wallet {address}, with a new one.',
      advice:
        'If this was not you, do not share the code, and contact the operator of the application, who can sign you out everywhere. Nothing changes until the code is used.',
    },
    passkeysReplaced: {
      subject: 'Your passkeys at {brand} were replaced',
      what: 'All passkeys of your account at {brand}, which has the wallet {address}, were replaced with a new one.',
      advice:
        'If this was not you, someone else is using your account: move the assets in the wallet to another one, and contact the operator of the application.',
    },
    accessGiven: {
      subject: 'A server may sign with your wallet at {brand}',
      what: 'Servers of {brand} were allowed to sign with your wallet {address} without asking you again, until {until} at the latest. You can revoke this in the application at any time.',
      advice:
        'If this was not you, someone else is using your account: revoke the access, and contact the operator of the application, who can sign you out everywhere.',
    },
    accessAllowed: {
      subject: 'Servers can be given access to your wallet at {brand} again',
      what: 'Your block on servers of {brand} signing with your wallet {address} was lifted. Nothing is signed until someone who is signed in to your account grants access.',
      advice:
        'If this was not you, someone else is using your account: block the access again, and contact the operator of the application, who can sign you out everywhere.',
    },
  },
};
