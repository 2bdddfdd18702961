import type { KeyLanguage } from '../key-words.js';

const MOVE_AWAY =
  'Wenn Sie das nicht waren: Bringen Sie, was in der Wallet ist, in eine andere, und sagen Sie es dem Betreiber der Anwendung.';
const SOMEBODY_ELSE =
  'Wenn Sie das nicht waren, benutzt jemand anderes Ihr Konto: Sagen Sie es dem Betreiber der Anwendung, der Sie überall abmelden kann.';

export const GERMAN: KeyLanguage = {
  code: 'de',
  when: 'Wann',
  with: 'Womit',
  changes: {
    exported: {
      subject: 'Der Schlüssel einer Wallet wurde bei {brand} exportiert',
      what: 'Der private Schlüssel Ihrer Wallet {address} bei {brand} wurde angefordert: Wer ihn hat, kann alles bewegen, was in dieser Wallet ist.',
      advice: MOVE_AWAY,
    },
    exportBegun: {
      subject: 'Der Schlüssel einer Wallet soll bei {brand} exportiert werden',
      what: 'Der private Schlüssel Ihrer Wallet {address} bei {brand} wurde angefordert. Ab {until} kann er abgeholt werden, und wer ihn hat, kann alles bewegen, was in dieser Wallet ist.',
      advice:
        'Wenn Sie das nicht waren: Blenden Sie die Wallet vorher in der Anwendung aus, das beendet den Export. Und sagen Sie es ihrem Betreiber, der Sie überall abmelden kann.',
    },
    wholeKeyAsked: {
      subject: 'Der Schlüssel einer Wallet wurde bei {brand} angefordert',
      what: 'Weitere Teile des Schlüssels Ihrer Wallet {address} bei {brand} wurden angefordert: Wer sie hat, kann ohne {brand} alles bewegen, was in dieser Wallet ist.',
      advice: MOVE_AWAY,
    },
    secretAsked: {
      subject: 'Was eine Kopie einer Wallet öffnet, wurde bei {brand} angefordert',
      what: 'Das Geheimnis, das Kopien Ihres Teils der Wallet {address} öffnet, wurde bei {brand} angefordert: Wer es und eine solche Kopie hat, kann diesen Teil benutzen.',
      advice:
        'Wenn Sie das nicht waren, benutzt jemand anderes Ihr Konto: Lassen Sie die Teile der Wallet neu machen, und sagen Sie es dem Betreiber der Anwendung, der Sie überall abmelden kann.',
    },
    imported: {
      subject: 'Eine Wallet wurde bei {brand} importiert',
      what: 'Die Wallet {address} kam durch ihren privaten Schlüssel zu Ihrem Konto bei {brand} hinzu. Von jetzt an hat {brand} eine Kopie dieses Schlüssels.',
      advice: SOMEBODY_ELSE,
    },
    recoveryEmailChanged: {
      subject: 'Codes für Ihre Wallets bei {brand} gehen an eine andere Adresse',
      what: 'Codes und Mitteilungen über Ihre Wallets bei {brand} gehen von jetzt an an eine andere Adresse.',
      advice: SOMEBODY_ELSE,
    },
    passkeyRecoveryBegun: {
      subject: 'Jemand ersetzt Ihre Passkeys bei {brand}',
      what: 'Ein Code wurde angefordert, mit dem alle Passkeys Ihres Kontos bei {brand}, zu dem die Wallet {address} gehört, durch einen neuen ersetzt werden.',
      advice:
        'Wenn Sie das nicht waren: Geben Sie den Code niemandem, und sagen Sie es dem Betreiber der Anwendung, der Sie überall abmelden kann. Ohne den Code ändert sich nichts.',
    },
    passkeysReplaced: {
      subject: 'Ihre Passkeys bei {brand} wurden ersetzt',
      what: 'Ein neuer Passkey trat an die Stelle aller Passkeys Ihres Kontos bei {brand}, zu dem die Wallet {address} gehört.',
      advice:
        'Wenn Sie das nicht waren, benutzt jemand anderes Ihr Konto: Bringen Sie, was in der Wallet ist, in eine andere, und sagen Sie es dem Betreiber der Anwendung.',
    },
    accessGiven: {
      subject: 'Ein Server darf bei {brand} mit Ihrer Wallet signieren',
      what: 'Servern von {brand} wurde erlaubt, mit Ihrer Wallet {address} zu signieren, ohne Sie noch einmal zu fragen, längstens bis {until}. Sie können das in der Anwendung jederzeit zurücknehmen.',
      advice:
        'Wenn Sie das nicht waren, benutzt jemand anderes Ihr Konto: Nehmen Sie die Erlaubnis zurück, und sagen Sie es dem Betreiber der Anwendung, der Sie überall abmelden kann.',
    },
    accessAllowed: {
      subject: 'Servern von {brand} kann wieder eine Wallet von Ihnen anvertraut werden',
      what: 'Ihre Weigerung, Server von {brand} mit Ihrer Wallet {address} signieren zu lassen, wurde aufgehoben. Signiert wird erst, wenn jemand, der bei Ihrem Konto angemeldet ist, es erlaubt.',
      advice:
        'Wenn Sie das nicht waren, benutzt jemand anderes Ihr Konto: Verweigern Sie es wieder, und sagen Sie es dem Betreiber der Anwendung, der Sie überall abmelden kann.',
    },
  },
};
