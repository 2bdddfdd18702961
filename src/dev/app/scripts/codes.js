import { call, codeFor, onSubmit, part, SCOPES } from './service.js';
import { enter } from './session.js';

// Sign-in with a code, by email or text message.
let sent = null;
let sms = null;

async function showCode(kind, verificationUUID, to) {
  sent = { kind, verificationUUID };
  part(kind).after(part('code'));
  part('code').hidden = false;
  part('code').elements.code.value = await codeFor(to);
  part('code').elements.code.focus();
}

/** Splits a number such as +41 79 000 00 00 into the fields of the API. */
function parsePhone(text) {
  const match = /^\+(\d{1,3})\s+([\d ]+)$/.exec(text.trim());
  if (!match) throw new Error('Enter the number in the form +41 79 000 00 00.');
  const [, phoneCountryCode, rest] = match;
  const countries = sms?.enabledCountries ?? [];
  const country = countries.find((each) => each.phoneCountryCode === phoneCountryCode);
  if (!country) {
    const codes = [...new Set(countries.map((each) => `+${each.phoneCountryCode}`))].join(', ');
    throw new Error(`The sandbox sends text messages only to numbers with these country codes: ${codes || 'none'}.`);
  }
  return { phoneCountryCode, phoneNumber: rest.replaceAll(' ', ''), isoCountryCode: country.isoCountryCode };
}

export function offerCodes({ providers = [] }) {
  sms = providers.find(({ provider }) => provider === 'sms') ?? null;
  part('email').hidden = !providers.some(({ provider }) => provider === 'emailOnly');
  part('sms').hidden = sms === null;
  onSubmit('email', async (form) => {
    const email = form.get('email');
    const { verificationUUID } = await call('/emailVerifications/create', { email });
    await showCode('email', verificationUUID, email);
  });
  onSubmit('sms', async (form) => {
    const phone = parsePhone(form.get('number'));
    const { verificationUUID } = await call('/smsVerifications/create', phone);
    // Written from abroad, a number has no leading zero, with which it is dialled at home.
    await showCode('sms', verificationUUID, `+${phone.phoneCountryCode}${phone.phoneNumber.replace(/^0/, '')}`);
  });
  onSubmit('code', async (form) => {
    const { kind, verificationUUID } = sent;
    const body = { verificationUUID, verificationToken: form.get('code'), requestedScopes: SCOPES };
    enter(await call(`/${kind}Verifications/signin`, body));
    part('code').hidden = true;
    part('code').reset();
  });
}
