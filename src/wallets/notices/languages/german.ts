import type { KeyLanguage } from '../key-words.js';

const MOVE_AWAY =
  'Wenn Sie das nicht waren: Übertragen Sie das Guthaben der Wallet in eine andere, und wenden Sie sich an den Betreiber der Anwendung.';
const SOMEBODY_ELSE =
  'Wenn Sie das nicht waren, benutzt jemand anderes Ihr Konto: Wenden Sie sich an den Betreiber der Anwendung, der Sie überall abmelden kann.';

export const GERMAN: KeyLanguage = {
  code: 'de',
  when: 'Wann',
  with: 'Mit',
  changes: {
    exported: {
      subject: 'Der Schlüssel einer Wallet wurde bei {brand} exportiert',
      what: 'Der private Schlüssel Ihrer Wallet {address} bei {brand} wurde angefordert. Wer ihn hat, kann über alles in dieser Wallet verfügen.',
      advice: MOVE_AWAY,
    },
    exportBegun: {
      subject: 'Der Schlüssel einer Wallet soll bei {brand} exportiert werden',
      what: 'Der private Schlüssel Ihrer Wallet {address} bei {brand} wurde angefordert. Ab {until} kann er abgerufen werden, und wer ihn hat, kann über alles in dieser Wallet verfügen.',
      advice:
        'Wenn Sie das nicht waren: Blenden Sie die Wallet vorher in der Anwendung aus, um den Export abzubrechen. Wenden Sie sich außerdem an den Betreiber der Anwendung, der Sie überall abmelden kann.',
    },
    wholeKeyAsked: {
      subject: 'Der Schlüssel einer Wallet wurde bei {brand} angefordert',
      what: 'Weitere Teile des Schlüssels Ihrer Wallet {address} bei {brand} wurden angefordert. Wer sie hat, kann ohne {brand} über alles in dieser Wallet verfügen.',
      advice: MOVE_AWAY,
    },
    secretAsked: {
      subject: 'Das Geheimnis für eine Wallet-Sicherung wurde bei {brand} angefordert',
      what: 'Das Geheimnis, mit dem sich Kopien Ihres Schlüsselteils der Wallet {address} entschlüsseln lassen, wurde bei {brand} angefordert. Wer es und eine solche Kopie hat, kann diesen Teil verwenden.',
      advice:
        'Wenn Sie das nicht waren, benutzt jemand anderes Ihr Konto: Erneuern Sie die Schlüsselteile der Wallet, und wenden Sie sich an den Betreiber der Anwendung, der Sie überall abmelden kann.',
    },
    imported: {
      subject: 'Eine Wallet wurde bei {brand} importiert',
      what: 'Die Wallet {address} wurde mit ihrem privaten Schlüssel in Ihr Konto bei {brand} importiert. Von jetzt an hat {brand} eine Kopie dieses Schlüssels.',
      advice: SOMEBODY_ELSE,
    },
    recoveryEmailChanged: {
      subject: 'Die Wiederherstellungsadresse Ihrer Wallets bei {brand} wurde geändert',
      what: 'Codes und Mitteilungen über Ihre Wallets bei {brand} gehen ab jetzt an eine andere Adresse.',
      advice: SOMEBODY_ELSE,
    },
    passkeyRecoveryBegun: {
      subject: 'Jemand möchte Ihre Passkeys bei {brand} ersetzen',
      what: 'Ein Code wurde angefordert, mit dem sich alle Passkeys Ihres Kontos bei {brand}, zu dem die Wallet {address} gehört, durch einen neuen ersetzen lassen.',
      advice:
        'Wenn Sie das nicht waren: Geben Sie den Code nicht weiter, und wenden Sie sich an den Betreiber der Anwendung, der Sie überall abmelden kann. Ohne den Code ändert sich nichts.',
    },
    passkeysReplaced: {
      subject: 'Ihre Passkeys bei {brand} wurden ersetzt',
      what: 'Alle Passkeys Ihres Kontos bei {brand}, zu dem die Wallet {address} gehört, wurden durch einen neuen ersetzt.',
      advice:
        'Wenn Sie das nicht waren, benutzt jemand anderes Ihr Konto: Übertragen Sie das Guthaben der Wallet in eine andere, und wenden Sie sich an den Betreiber der Anwendung.',
    },
    accessGiven: {
      subject: 'Ein Server darf bei {brand} mit Ihrer Wallet signieren',
      what: 'Servern von {brand} wurde erlaubt, mit Ihrer Wallet {address} zu signieren, ohne Sie noch einmal zu fragen, längstens bis {until}. Sie können diese Erlaubnis in der Anwendung jederzeit widerrufen.',
      advice:
        'Wenn Sie das nicht waren, benutzt jemand anderes Ihr Konto: Widerrufen Sie die Erlaubnis, und wenden Sie sich an den Betreiber der Anwendung, der Sie überall abmelden kann.',
    },
    accessAllowed: {
      subject: 'Servern von {brand} kann wieder Zugriff auf Ihre Wallet erlaubt werden',
      what: 'Die Sperre, mit der Sie Servern von {brand} das Signieren mit Ihrer Wallet {address} untersagt hatten, wurde aufgehoben. Signiert wird erst, wenn jemand, der bei Ihrem Konto angemeldet ist, es erlaubt.',
      advice:
        'Wenn Sie das nicht waren, benutzt jemand anderes Ihr Konto: Sperren Sie den Zugriff wieder, und wenden Sie sich an den Betreiber der Anwendung, der Sie überall abmelden kann.',
    },
  },
};
