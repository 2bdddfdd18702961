/* global document */
import { call, givePasskey, keptToken } from '/pages/member.js';
import { attestation, knowsPasskeys } from '/pages/passkey.js';

// The second factors of the signed-in member: adds and removes passkeys, and uses them for step-up authentication.

/** The scopes that operations require a fresh proof for. */
const SCOPES = [
  'console:settings:update',
  'console:sso:update',
  'console:project:delete',
  'console:member:invite',
  'credential:link',
];
/** A proof is valid for five minutes; this leaves a margin. */
const GOOD_MS = 280_000;

const NAMES = { totp: 'Authenticator app', passkey: 'Passkey' };
const element = (id) => document.getElementById(id);
const said = (text) => (element('factors-said').textContent = text);

/** What a hint for programs means to the person in front of this page. */
const HERE = { fresh_proof_required: 'On this page: sign out, and sign in again.' };

let proof = null;

/** The token of a still valid proof for the session of this tab, or null. */
export const liveProof = () => (proof && proof.until > Date.now() ? proof.token : null);

function press(label, action) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = label;
  onPress(button, action);
  return button;
}

function onPress(button, action) {
  button.addEventListener('click', async () => {
    button.disabled = true;
    said('');
    try {
      await action();
    } catch (error) {
      said(
        error.name === 'NotAllowedError'
          ? 'No passkey was used: the request was cancelled or not allowed.'
          : [error.message, HERE[error.code]].filter(Boolean).join(' '),
      );
    } finally {
      button.disabled = false;
    }
  });
}

/**
 * Activates this part of the page.
 *
 * @param sdk the path of the operations for console users
 * @param renewed is called with new tokens, which replace the previous ones
 */
export function offerFactors(sdk, renewed) {
  const own = (path, { method, body, headers } = {}) => {
    const proven = liveProof();
    const all = { ...headers, ...(proven && { 'x-elevated-access-token': proven }) };
    return call(`${sdk}/users${path}`, { method, body, headers: all, token: keptToken() });
  };
  const give = async (wanted) => {
    const given = await givePasskey(sdk, keptToken(), wanted);
    renewed(given);
    return given;
  };

  const shown = ({ id, type, createdAt, default: isDefault }, canProve) => {
    const line = document.createElement('li');
    line.dataset.type = type;
    line.append(
      `${NAMES[type] ?? type}, added ${new Date(createdAt).toLocaleString()}${isDefault ? ', default' : ''} `,
    );
    const makeDefault = async () => {
      await own(`/mfa/${id}`, { method: 'PUT', body: { default: true } });
      await list();
    };
    if (!isDefault) line.append(press('Make default', makeDefault), ' ');
    if (canProve) line.append(press('Remove', () => remove(id)));
    return line;
  };
  const list = async () => {
    const { devices, passkeys } = await own('/mfa/methods');
    const canProve = passkeys.length > 0 && knowsPasskeys();
    element('factor-list').replaceChildren(...devices.map((device) => shown(device, canProve)));
    element('no-factors').hidden = devices.length > 0;
    element('remove-how').hidden = canProve || devices.length === 0;
    element('prove').hidden = !canProve;
  };
  /** Removing a factor requires presenting one now. */
  const remove = async (id) => {
    const { mfaToken } = await give({ createMfaToken: { singleUse: true } });
    await own(`/mfa/${id}`, { method: 'DELETE', headers: { 'x-mfa-auth-token': mfaToken } });
    await list();
    said('The factor was removed.');
  };
  const add = async () => {
    const { id, registration } = await own('/mfa/register/passkey');
    const { response, ...made } = await attestation(registration);
    const { attestationObject, clientDataJSON } = response;
    const body = { id, attestation: { ...made, response: { attestationObject, clientDataJSON } } };
    renewed(await own('/mfa/register/passkey', { method: 'POST', body }));
    await list();
    said('The passkey was added. From now on it is required at each sign-in.');
    await showCodes();
  };
  /** Recovery codes are created with the first device; later there is nothing to show. */
  const showCodes = async () => {
    const { recoveryCodes } = await own('/mfa/recovery');
    element('recovery').hidden = recoveryCodes.length === 0;
    element('recovery-codes').textContent = recoveryCodes.join('\n');
  };
  const keepCodes = async () => {
    renewed(await own('', { method: 'PUT', body: { mfaBackupCodeAcknowledgement: 'complete' } }));
    element('recovery').hidden = true;
    element('recovery-codes').textContent = '';
  };
  const prove = async () => {
    const { elevatedAccessToken } = await give({ requestedScopes: SCOPES });
    proof = { token: elevatedAccessToken, until: Date.now() + GOOD_MS };
    said('Verified: for the next few minutes, calls from this page carry the proof.');
  };

  const section = element('factors');
  section.hidden = !keptToken();
  element('add-passkey').hidden = !knowsPasskeys();
  onPress(element('add-passkey'), add);
  onPress(element('codes-kept'), keepCodes);
  onPress(element('prove'), prove);
  section.addEventListener('toggle', () => {
    if (section.open) list().catch((error) => said(error.message));
  });
}
