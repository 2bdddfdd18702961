/* global window */
import { assertion, attestation } from '/pages/passkey.js';
import { button, call, codeFor, element, onClick, onSubmit, part, SCOPES } from './service.js';
import { current, enter, own, refresh, whenIn } from './session.js';

// Second factors: managing them, and giving one when it is due.
const MFA_TOKEN = 'x-mfa-auth-token';
const STEPS = ['second-totp', 'second-passkey', 'second-email', 'second-recovery'];
/** First factors (RFC 8176) that cannot be repeated as second factor. */
const SAME = { email: ['otp', 'link'], passkey: ['swk', 'hwk'] };
const NAMES = { totp: 'Authenticator app', passkey: 'Passkey', email: 'Code by email' };

let methods = [];
const isOn = (type) => methods.includes(type);

// --- Devices

function shown({ id, type, alias, createdAt, default: isDefault }, _, { length }) {
  const line = element('li', {}, `${alias ?? NAMES[type] ?? type}, added ${new Date(createdAt).toLocaleString()} `);
  line.dataset.type = type;
  if (isDefault) line.append(element('span', { className: 'good', textContent: 'default' }));
  else
    line.append(
      button('Make default', async () => {
        await own(`/users/mfa/${id}`, { default: true }, { method: 'PUT' });
        await list();
      }),
    );
  // The default one stays while there are others.
  if (!isDefault || length === 1) {
    line.append(
      ' ',
      button('Remove', () => remove(id)),
    );
  }
  return line;
}

/** Signs with a passkey that is a second factor. */
async function passkeyProof() {
  const { passkeys } = await own('/users/mfa/methods');
  return assertion(await own('/users/passkeys/authenticate'), passkeys);
}

/** Without a device whose registration was begun and not completed. */
const registered = async () => (await own('/users/mfa')).devices.filter(({ verified }) => verified);

async function list() {
  part('factors').hidden = methods.length === 0;
  const devices = await registered();
  part('devices').replaceChildren(...devices.map(shown));
  part('no-devices').hidden = devices.length > 0;
  part('recovery').hidden = devices.length === 0;
}

function codeToRemove() {
  const code = part('remove-code').value.trim();
  if (code) return code;
  part('remove').hidden = false;
  part('remove-code').focus();
  throw new Error('Enter a code from your authenticator, then press Remove again.');
}

/** Removing a factor requires giving one now: a code, or a passkey without an authenticator app. */
async function remove(id) {
  const hasApp = (await registered()).some(({ type }) => type === 'totp');
  const proof = hasApp ? { code: codeToRemove() } : await passkeyProof();
  const asked = { ...proof, createMfaToken: { singleUse: true } };
  const { mfaToken } = await own(`/users/mfa/auth/${hasApp ? 'totp' : 'passkey'}`, asked);
  await own(`/users/mfa/${id}`, null, { method: 'DELETE', headers: { [MFA_TOKEN]: mfaToken } });
  part('remove-code').value = '';
  part('remove').hidden = true;
  await list();
}

async function beginTotp() {
  const { secret, uri } = await own('/users/mfa/register/totp');
  part('totp-secret').textContent = secret;
  part('totp-uri').href = uri;
  part('totp-new').hidden = false;
  part('totp-new').elements.code.focus();
}

async function finishTotp(form) {
  await own('/users/mfa/register/totp', { type: 'totp', code: form.get('code') });
  part('totp-new').hidden = true;
  part('totp-new').reset();
  await refresh();
}

async function addPasskey() {
  const { id, registration } = await own('/users/mfa/register/passkey');
  const { response, ...made } = await attestation(registration);
  const { attestationObject, clientDataJSON } = response;
  enter(
    await own('/users/mfa/register/passkey', {
      id,
      attestation: { ...made, response: { attestationObject, clientDataJSON } },
    }),
  );
}

async function showCodes(method) {
  const { count, recoveryCodes } = await own('/users/mfa/recovery', null, { method });
  const isMade = recoveryCodes.length > 0;
  part('recovery-codes').textContent = isMade
    ? recoveryCodes.join('\n')
    : `${count} codes are left. Codes are shown only once.`;
  part('recovery-codes').hidden = false;
}

// --- The second factor that is due

const give = async (path, body) => enter(await own(`/users/mfa/auth/${path}`, { ...body, requestedScopes: SCOPES }));

async function sendCode() {
  const { email } = current().user;
  if (!email) throw new Error('Your account has no email address to send a code to.');
  const { verificationUUID } = await call('/emailVerifications/create', { email });
  const form = part('second-email');
  form.dataset.verification = verificationUUID;
  form.elements.code.value = await codeFor(email);
}

async function due() {
  for (const id of STEPS) part(id).hidden = true;
  for (const form of part('second').querySelectorAll('form')) form.reset();
  const devices = await registered();
  const has = (type) => devices.some((device) => device.type === type);
  const { amr = [] } = current().claims;
  const isAnother = (type) => !SAME[type].some((method) => amr.includes(method));
  part('second-totp').hidden = !has('totp');
  part('second-passkey').hidden = !has('passkey') || !isAnother('passkey') || !window.PublicKeyCredential;
  part('second-email').hidden = !isOn('email') || !isAnother('email') || !current().user.email;
  part('second-recovery').hidden = devices.length === 0;
  // If a factor is required and there is none yet, the user must add one now.
  part('factors').hidden = devices.length > 0;
  part('factors').open = devices.length === 0;
}

export function offerFactors({ security }) {
  const { enabled, methods: all = [] } = security.mfa ?? {};
  methods = enabled ? all.filter((method) => method.enabled).map(({ type }) => type) : [];
  part('totp-begin').hidden = !isOn('totp');
  part('factor-passkey').hidden = !isOn('passkey') || !window.PublicKeyCredential;
  onClick(part('totp-begin'), beginTotp);
  onSubmit('totp-new', finishTotp);
  onClick(part('factor-passkey'), addPasskey);
  onClick(part('recovery-show'), () => showCodes('GET'));
  onClick(part('recovery-new'), () => showCodes('POST'));
  onSubmit('second-totp', (form) => give('totp', { code: form.get('code') }));
  onSubmit('second-recovery', (form) => give('recovery', { code: form.get('code').trim() }));
  onClick(part('second-send'), sendCode);
  onSubmit('second-email', (form) =>
    give('email', { verificationUUID: part('second-email').dataset.verification, verificationToken: form.get('code') }),
  );
  onClick(part('second-passkey').querySelector('button'), async () => give('passkey', await passkeyProof()));
  whenIn(({ isPartial }) => {
    part('recovery-codes').hidden = true;
    return isPartial ? due() : list();
  });
}
