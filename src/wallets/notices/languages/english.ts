import type { KeyLanguage } from '../key-words.js';

const MOVE_AWAY =
  'If this was not you, move what is in the wallet to another one, and tell whoever runs the application.';
const SOMEBODY_ELSE =
  'If this was not you, somebody else uses your account: tell whoever runs the application, who can sign you out everywhere.';

export const ENGLISH: KeyLanguage = {
  code: 'en',
  when: 'When',
  with: 'With',
  changes: {
    exported: {
      subject: 'The key of a wallet was exported at {brand}',
      what: 'The private key of your wallet {address} at {brand} was asked for: whoever has it can move everything in that wallet.',
      advice: MOVE_AWAY,
    },
    exportBegun: {
      subject: 'The key of a wallet is about to be exported at {brand}',
      what: 'The private key of your wallet {address} at {brand} was asked for. It can be fetched from {until} on, and whoever has it can move everything in that wallet.',
      advice:
        'If this was not you, hide the wallet in the application before then: that ends the export. And tell whoever runs it, who can sign you out everywhere.',
    },
    wholeKeyAsked: {
      subject: 'The key of a wallet was asked for at {brand}',
      what: 'More shares of the key of your wallet {address} at {brand} were asked for: whoever has them can move everything in that wallet without {brand}.',
      advice: MOVE_AWAY,
    },
    secretAsked: {
      subject: 'What opens a copy of a wallet was asked for at {brand}',
      what: 'The secret that opens copies of your share of the wallet {address} was asked for at {brand}: whoever has it and such a copy can use that share.',
      advice:
        'If this was not you, somebody else uses your account: make the shares of the wallet anew, and tell whoever runs the application, who can sign you out everywhere.',
    },
    imported: {
      subject: 'A wallet was imported at {brand}',
      what: 'The wallet {address} was added to your account at {brand} by its private key. From now on {brand} holds a copy of that key.',
      advice: SOMEBODY_ELSE,
    },
    recoveryEmailChanged: {
      subject: 'Where codes for your wallets at {brand} go was changed',
      what: 'Codes and notices about your wallets at {brand} go to another address from now on.',
      advice: SOMEBODY_ELSE,
    },
    passkeyRecoveryBegun: {
      subject: 'Somebody replaces your passkeys at {brand}',
      what: 'A code was asked for by which all passkeys of your account at {brand}, which has the wallet {address}, are replaced by a new one.',
      advice:
        'If this was not you, give the code to nobody, and tell whoever runs the application, who can sign you out everywhere: nothing changes until the code is used.',
    },
    passkeysReplaced: {
      subject: 'Your passkeys at {brand} were replaced',
      what: 'A new passkey took the place of all passkeys of your account at {brand}, which has the wallet {address}.',
      advice:
        'If this was not you, somebody else uses your account: move what is in the wallet to another one, and tell whoever runs the application.',
    },
    accessGiven: {
      subject: 'A server may sign with a wallet of yours at {brand}',
      what: 'Servers of {brand} were allowed to sign with your wallet {address} without asking you again, until {until} at the latest. You can take that back in the application at any time.',
      advice:
        'If this was not you, somebody else uses your account: take the access back, and tell whoever runs the application, who can sign you out everywhere.',
    },
    accessAllowed: {
      subject: 'Servers may be given access to a wallet of yours at {brand} again',
      what: 'Your refusal to let servers of {brand} sign with your wallet {address} was lifted. Nothing is signed until somebody who is signed in to your account gives access.',
      advice:
        'If this was not you, somebody else uses your account: refuse it again, and tell whoever runs the application, who can sign you out everywhere.',
    },
  },
};
