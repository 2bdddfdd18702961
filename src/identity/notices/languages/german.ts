import type { Language } from '../account-words.js';

const IF_NOT_YOU =
  'Wenn Sie das nicht waren: Melden Sie sich an, entfernen Sie alles, was Sie nicht selbst hinzugefügt haben, und wenden Sie sich an den Betreiber der Anwendung.';

export const GERMAN: Language = {
  code: 'de',
  when: 'Wann',
  with: 'Mit',
  credentials: {
    blockchain: 'eine Wallet',
    email: 'eine E-Mail-Adresse',
    oauth: 'ein Konto bei einem sozialen Netzwerk',
    passkey: 'ein Passkey',
    phoneNumber: 'eine Telefonnummer',
    externalUser: 'ein Konto bei einem anderen Dienst',
  },
  oneTimeCode: {
    subject: '{code} ist Ihr Code für {brand}',
    what: 'Ihr Code für {brand} ist {code}.',
    once: 'Er ist einmal verwendbar und {minutes} Minuten lang gültig. Geben Sie ihn nur dort ein, wo Sie ihn angefordert haben, und geben Sie ihn nicht weiter.',
    advice:
      'Wenn Sie ihn nicht angefordert haben, können Sie diese Nachricht ignorieren: Ohne den Code passiert nichts.',
    sender: 'Gesendet von {host} für {brand}.',
  },
  textMessage: {
    full: '{code} ist Ihr Code für {brand}. Er ist einmal und {minutes} Minuten lang gültig. Geben Sie ihn nicht weiter.',
    short: '{code} ist Ihr Code für {brand}. Geben Sie ihn nicht weiter.',
  },
  newDevice: {
    subject: 'Bestätigen Sie ein neues Gerät bei {brand}',
    what: 'Jemand hat sich mit einem neuen Gerät bei Ihrem Konto bei {brand} angemeldet.',
    entry: 'Wenn Sie das waren, geben Sie dort, wo Sie sich angemeldet haben, Folgendes ein: {token}',
    once: 'Es ist nur dort, nur einmal und {minutes} Minuten lang gültig. Geben Sie es nicht weiter.',
    advice:
      'Wenn Sie das nicht waren, geben Sie es nicht weiter: Ohne diese Eingabe kann die Anmeldung auf dem Gerät nicht abgeschlossen werden. Sichern Sie Ihre Anmeldemethoden.',
  },
  changes: {
    credentialLinked: {
      subject: 'Eine neue Anmeldemethode bei {brand}',
      what: 'Ihrem Konto bei {brand} wurde eine Anmeldemethode hinzugefügt ({detail}). Wer Zugriff darauf hat, kann sich in Ihrem Namen anmelden. Auf Ihren anderen Geräten wurden Sie abgemeldet.',
      advice: IF_NOT_YOU,
    },
    credentialJoined: {
      subject: 'Eine neue Anmeldemethode bei {brand}',
      what: 'Ihrem Konto bei {brand} wurde bei einer Anmeldung eine Anmeldemethode hinzugefügt ({detail}). Wer Zugriff darauf hat, kann sich von nun an in Ihrem Namen anmelden.',
      advice: IF_NOT_YOU,
    },
    credentialUnlinked: {
      subject: 'Eine Anmeldemethode bei {brand} wurde entfernt',
      what: 'Von Ihrem Konto bei {brand} wurde eine Anmeldemethode entfernt ({detail}). Auf Ihren anderen Geräten wurden Sie abgemeldet.',
      advice: IF_NOT_YOU,
    },
    mainContactChanged: {
      subject: 'Ihre Kontaktdaten bei {brand} wurden geändert',
      what: 'Eine andere von Ihnen bestätigte Adresse oder Nummer ({detail}) ist jetzt der Hauptkontakt Ihres Kontos bei {brand}.',
      advice: IF_NOT_YOU,
    },
    walletMoved: {
      subject: 'Eine Wallet hat Ihr Konto bei {brand} verlassen',
      what: 'Eine Wallet wurde von Ihrem Konto bei {brand} auf ein anderes Konto übertragen, von jemandem, der mit ihr signiert hat. Sie wurden überall abgemeldet.',
      advice:
        'Wenn Sie das nicht waren, hat jemand anderes den Schlüssel der Wallet: Übertragen Sie ihr Guthaben in eine andere Wallet, und wenden Sie sich dann an den Betreiber der Anwendung.',
    },
    merged: {
      subject: 'Ihre Konten bei {brand} wurden zusammengeführt',
      what: 'Ihre Konten bei {brand} wurden zu einem zusammengeführt, und Sie wurden überall abgemeldet. Melden Sie sich an wie bisher: Alle Ihre Anmeldemethoden führen jetzt zu demselben Konto.',
      advice:
        'Wenn Sie das nicht waren, wenden Sie sich innerhalb von sieben Tagen an den Betreiber der Anwendung: So lange kann es rückgängig gemacht werden.',
    },
    unmerged: {
      subject: 'Ihre Konten bei {brand} wurden wieder getrennt',
      what: 'Ein Betreiber hat die Zusammenführung Ihrer Konten bei {brand} rückgängig gemacht. Sie wurden überall abgemeldet.',
      advice: 'Wenn Sie nicht darum gebeten haben, wenden Sie sich an den Betreiber der Anwendung.',
    },
    erased: {
      subject: 'Ihr Konto bei {brand} wurde gelöscht',
      what: 'Ihr Konto bei {brand} und alle über Sie gespeicherten Daten wurden gelöscht. Dies ist die letzte Nachricht darüber.',
      advice: 'Wenn Sie das nicht waren, wenden Sie sich an den Betreiber der Anwendung.',
    },
    recoveryCodeUsed: {
      subject: 'Ein Wiederherstellungscode wurde bei {brand} verwendet',
      what: 'Jemand hat sich mit einem Ihrer Wiederherstellungscodes bei Ihrem Konto bei {brand} angemeldet. Der Code kann nicht noch einmal verwendet werden.',
      advice: IF_NOT_YOU,
    },
    factorAdded: {
      subject: 'Bei {brand} wurde ein zweiter Faktor hinzugefügt',
      what: 'Ihrem Konto bei {brand} wurde ein zweiter Faktor hinzugefügt. Er wird bei der Anmeldung verlangt.',
      advice: IF_NOT_YOU,
    },
    factorRemoved: {
      subject: 'Ein zweiter Faktor bei {brand} wurde entfernt',
      what: 'Ein zweiter Faktor Ihres Kontos bei {brand} wurde entfernt und wird nicht mehr verlangt.',
      advice: IF_NOT_YOU,
    },
    factorsReset: {
      subject: 'Ihre zweiten Faktoren bei {brand} wurden entfernt',
      what: 'Ein Administrator von {brand} hat die zweiten Faktoren Ihres Kontos entfernt. Sie können sich ohne sie anmelden und neue hinzufügen.',
      advice: 'Wenn Sie nicht darum gebeten haben, wenden Sie sich an die Administratoren.',
    },
    passkeyAdded: {
      subject: 'Bei {brand} wurde ein Passkey hinzugefügt',
      what: 'Ihrem Konto bei {brand} wurde ein Passkey hinzugefügt. Wer Zugriff darauf hat, kann sich in Ihrem Namen anmelden.',
      advice: IF_NOT_YOU,
    },
    passkeyRemoved: {
      subject: 'Ein Passkey bei {brand} wurde entfernt',
      what: 'Von Ihrem Konto bei {brand} wurde ein Passkey entfernt. Auf Ihren anderen Geräten wurden Sie abgemeldet.',
      advice: IF_NOT_YOU,
    },
    deviceAdded: {
      subject: 'Ein neues Gerät bei {brand}',
      what: 'Ein neues Gerät wurde für Ihr Konto bei {brand} bestätigt.',
      advice: IF_NOT_YOU,
    },
  },
};
