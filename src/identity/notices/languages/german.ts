import type { Language } from '../account-words.js';

const IF_NOT_YOU =
  'Wenn Sie das nicht waren: Melden Sie sich an, entfernen Sie, was nicht Ihres ist, und sagen Sie es dem Betreiber der Anwendung.';

export const GERMAN: Language = {
  code: 'de',
  when: 'Wann',
  with: 'Womit',
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
    once: 'Er gilt einmal, {minutes} Minuten lang. Geben Sie ihn nur dort ein, wo Sie ihn angefordert haben, und geben Sie ihn niemandem.',
    advice: 'Wenn Sie ihn nicht angefordert haben, ist nichts zu tun: Ohne den Code geschieht nichts.',
    sender: 'Gesendet von {host} für {brand}.',
  },
  newDevice: {
    subject: 'Bestätigen Sie ein neues Gerät bei {brand}',
    what: 'Jemand hat sich bei Ihrem Konto bei {brand} mit einem neuen Gerät angemeldet.',
    entry: 'Wenn Sie das waren, geben Sie dort, wo Sie sich angemeldet haben, dies ein: {token}',
    once: 'Es gilt einmal, {minutes} Minuten lang, und nur dort. Geben Sie es niemandem.',
    advice:
      'Wenn Sie das nicht waren, geben Sie es niemandem: Ohne dies kommt das Gerät nicht weiter. Ändern Sie, wie Sie sich anmelden.',
  },
  changes: {
    credentialLinked: {
      subject: 'Eine neue Art der Anmeldung bei {brand}',
      what: 'Zu Ihrem Konto bei {brand} kam eine Art der Anmeldung hinzu ({detail}): Wer sie hat, kann sich als Sie anmelden. Auf Ihren anderen Geräten sind Sie abgemeldet.',
      advice: IF_NOT_YOU,
    },
    credentialJoined: {
      subject: 'Eine neue Art der Anmeldung bei {brand}',
      what: 'Mit einer Anmeldung kam zu Ihrem Konto bei {brand} eine Art der Anmeldung hinzu ({detail}): Wer sie hat, kann sich von nun an als Sie anmelden.',
      advice: IF_NOT_YOU,
    },
    credentialUnlinked: {
      subject: 'Eine Art der Anmeldung bei {brand} wurde entfernt',
      what: 'Von Ihrem Konto bei {brand} wurde eine Art der Anmeldung entfernt ({detail}). Auf Ihren anderen Geräten sind Sie abgemeldet.',
      advice: IF_NOT_YOU,
    },
    mainContactChanged: {
      subject: 'Ihre Kontaktdaten bei {brand} wurden geändert',
      what: 'Die wichtigste Adresse oder Nummer Ihres Kontos bei {brand} ist jetzt eine andere von Ihnen ({detail}).',
      advice: IF_NOT_YOU,
    },
    walletMoved: {
      subject: 'Eine Wallet hat Ihr Konto bei {brand} verlassen',
      what: 'Von Ihrem Konto bei {brand} ging eine Wallet zu einem anderen Konto, durch jemanden, der mit ihr signiert hat. Sie sind überall abgemeldet.',
      advice:
        'Wenn Sie das nicht waren, hat jemand anderes den Schlüssel der Wallet: Bringen Sie in Sicherheit, was sie hält, und sagen Sie es dem Betreiber der Anwendung.',
    },
    merged: {
      subject: 'Aus zwei Konten wurde eines bei {brand}',
      what: 'Ihre Konten bei {brand} wurden zu einem, und Sie sind überall abgemeldet. Melden Sie sich an wie bisher; alle Arten der Anmeldung führen zu dem einen Konto.',
      advice:
        'Wenn Sie das nicht waren, sagen Sie es innerhalb von sieben Tagen dem Betreiber der Anwendung: So lange kann es rückgängig gemacht werden.',
    },
    unmerged: {
      subject: 'Ihre Konten bei {brand} sind wieder zwei',
      what: 'Der Betreiber hat die Zusammenführung Ihrer Konten bei {brand} rückgängig gemacht. Sie sind überall abgemeldet.',
      advice: 'Wenn Sie nicht darum gebeten haben, sagen Sie es dem Betreiber der Anwendung.',
    },
    erased: {
      subject: 'Ihr Konto bei {brand} wurde gelöscht',
      what: 'Ihr Konto bei {brand} und die dazu gespeicherten Daten wurden gelöscht. Dies ist die letzte Nachricht darüber.',
      advice: 'Wenn Sie das nicht waren, sagen Sie es dem Betreiber der Anwendung.',
    },
    recoveryCodeUsed: {
      subject: 'Ein Wiederherstellungscode wurde bei {brand} verwendet',
      what: 'Jemand hat sich mit einem Ihrer Wiederherstellungscodes bei Ihrem Konto bei {brand} angemeldet. Der Code ist verbraucht.',
      advice: IF_NOT_YOU,
    },
    factorAdded: {
      subject: 'Ein zweiter Faktor kam bei {brand} hinzu',
      what: 'Zu Ihrem Konto bei {brand} kam ein zweiter Faktor hinzu: Er wird bei der Anmeldung verlangt.',
      advice: IF_NOT_YOU,
    },
    factorRemoved: {
      subject: 'Ein zweiter Faktor bei {brand} wurde entfernt',
      what: 'Ein zweiter Faktor Ihres Kontos bei {brand} wurde entfernt und wird nicht mehr verlangt.',
      advice: IF_NOT_YOU,
    },
    factorsReset: {
      subject: 'Ihre zweiten Faktoren bei {brand} wurden entfernt',
      what: 'Eine Person aus der Verwaltung von {brand} hat die zweiten Faktoren Ihres Kontos entfernt. Sie können sich ohne sie anmelden und neue hinzufügen.',
      advice: 'Wenn Sie nicht darum gebeten haben, sagen Sie es der Verwaltung.',
    },
    passkeyAdded: {
      subject: 'Ein Passkey kam bei {brand} hinzu',
      what: 'Zu Ihrem Konto bei {brand} kam ein Passkey hinzu: Wer ihn hat, kann sich als Sie anmelden.',
      advice: IF_NOT_YOU,
    },
    passkeyRemoved: {
      subject: 'Ein Passkey bei {brand} wurde entfernt',
      what: 'Von Ihrem Konto bei {brand} wurde ein Passkey entfernt. Auf Ihren anderen Geräten sind Sie abgemeldet.',
      advice: IF_NOT_YOU,
    },
    deviceAdded: {
      subject: 'Ein neues Gerät bei {brand}',
      what: 'Ein neues Gerät Ihres Kontos bei {brand} wurde bestätigt.',
      advice: IF_NOT_YOU,
    },
  },
};
