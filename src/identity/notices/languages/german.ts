import type { Language } from '../account-words.js';

const IF_NOT_YOU =
  'Wenn Sie das nicht waren: Melden Sie sich an, entfernen Sie, was nicht Ihres ist, und sagen Sie es dem Betreiber der Anwendung.';

export const GERMAN: Language = {
  code: 'de',
  when: 'Wann',
  with: 'Womit',
  changes: {
    credentialLinked: {
      subject: 'Eine neue Art der Anmeldung bei {brand}',
      what: 'Zu Ihrem Konto bei {brand} kam eine Art der Anmeldung hinzu ({detail}): Wer sie hat, kann sich als Sie anmelden. Auf Ihren anderen Geräten sind Sie abgemeldet.',
      advice: IF_NOT_YOU,
    },
    credentialUnlinked: {
      subject: 'Eine Art der Anmeldung bei {brand} wurde entfernt',
      what: 'Von Ihrem Konto bei {brand} wurde eine Art der Anmeldung entfernt ({detail}). Auf Ihren anderen Geräten sind Sie abgemeldet.',
      advice: IF_NOT_YOU,
    },
    merged: {
      subject: 'Aus zwei Konten wurde eines bei {brand}',
      what: 'Ihre Konten bei {brand} wurden zu einem, und Sie sind überall abgemeldet. Melden Sie sich an wie bisher; alle Arten der Anmeldung führen zu dem einen Konto.',
      advice:
        'Wenn Sie das nicht waren, sagen Sie es innerhalb von sieben Tagen dem Betreiber der Anwendung: So lange kann es rückgängig gemacht werden.',
    },
    erased: {
      subject: 'Ihr Konto bei {brand} wurde gelöscht',
      what: 'Ihr Konto bei {brand} wurde gelöscht, und mit ihm alles, was über Sie aufbewahrt war. Dies ist die letzte Nachricht darüber.',
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
    deviceAdded: {
      subject: 'Ein neues Gerät bei {brand}',
      what: 'Ein neues Gerät Ihres Kontos bei {brand} wurde bestätigt.',
      advice: IF_NOT_YOU,
    },
  },
};
