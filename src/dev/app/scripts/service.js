/* global btoa, crypto, document, FormData, location */

// Shared by the modules of /dev/app: API calls and how their results are shown.
export const part = (id) => document.getElementById(id);
export const SDK = part('app').dataset.sdk;
/** The environment's id, to which key ceremonies are bound. */
export const ENVIRONMENT = SDK.split('/').at(-1);
export const HOME = `${location.origin}/dev/app`;
/** The scopes requested for a proof, so that the next steps need no other one. */
export const SCOPES = ['credential:link', 'wallet:sign', 'wallet:export', 'wallet:delegate'];

/** What a hint for programs means to the person in front of this page. */
const HERE = {
  unauthorized: 'On this page: your session has ended. Sign out, and sign in again.',
  fresh_proof_required:
    'On this page: sign out, and sign in again with a code, an account, a passkey or a wallet. Each export needs a new sign-in, as does each access of a server.',
};

/** An error response of the service. */
export class Refusal extends Error {
  constructor({ status, headers }, { code, error, hint, docUrl, payload } = {}) {
    const sentence = typeof error === 'object' ? error.message : error;
    super([code ?? status, hint].filter(Boolean).join(': '));
    const retryAfter = headers.get('retry-after');
    Object.assign(this, { code: code ?? String(status), sentence, hint, docUrl, retryAfter, payload: payload ?? {} });
  }
}

function unreachable() {
  throw new Error('The service cannot be reached. Try again.');
}

/** A balancer that reaches no instance answers with a page of its own. */
function parsed(text) {
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    return unreachable();
  }
}

/** Like `fetch`, for successes only. @throws Refusal, or Error if the service does not answer */
export async function send(url, options) {
  const response = await fetch(url, options).catch(unreachable);
  if (response.ok) return response;
  throw new Refusal(response, parsed(await response.text().catch(unreachable)));
}

export async function call(path, body, { method = body ? 'POST' : 'GET', token, headers = {} } = {}) {
  const response = await send(SDK + path, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: body && JSON.stringify(body),
  });
  return parsed(await response.text().catch(unreachable));
}

/** An element with text or children. */
export function element(name, attributes = {}, ...children) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children);
  return made;
}

/** Renders a refusal: message, hint, what the hint refers to, and a link to the error page. */
function explained({ code, sentence, hint, docUrl, retryAfter, payload }) {
  const { walletPublicKey, additionalMessages = [], fields = [], reason } = payload;
  const details = [
    hint,
    HERE[code],
    ...additionalMessages,
    ...fields.map(({ message }) => message),
    reason && `Reason: ${reason}`,
    retryAfter && `Seconds to wait: ${retryAfter}`,
    walletPublicKey && `Wallet: ${walletPublicKey}`,
  ];
  const lines = [
    element('strong', { textContent: sentence ?? code }),
    ...details.filter(Boolean).map((textContent) => element('span', { textContent })),
    docUrl && element('a', { href: new URL(docUrl).pathname, textContent: code }),
  ];
  return lines.filter(Boolean).map((line) => element('span', { className: 'line' }, line));
}

/** Runs an action and shows its errors. */
export async function attempt(action) {
  const problem = part('problem');
  problem.hidden = true;
  try {
    await action();
  } catch (error) {
    problem.replaceChildren(...(error instanceof Refusal ? explained(error) : [error.message]));
    problem.hidden = false;
    problem.scrollIntoView({ block: 'center' });
  }
}

/** Disables the button while its action is running, and removes what an earlier one said. */
async function working(button, action) {
  for (const said of document.querySelectorAll('.good[role="status"]')) said.textContent = '';
  if (button) button.disabled = true;
  await attempt(action);
  if (button) button.disabled = false;
}

export const onSubmit = (id, action) =>
  part(id).addEventListener('submit', (event) => {
    event.preventDefault();
    // Before the button is disabled: a disabled one is not part of the form data.
    const form = new FormData(event.target, event.submitter);
    void working(event.submitter, () => action(form));
  });
export const onClick = (pressed, action) => pressed.addEventListener('click', () => void working(pressed, action));
export const button = (textContent, action) => {
  const made = element('button', { type: 'button', textContent });
  onClick(made, action);
  return made;
};

export const jsonOf = async (path) => (await send(path, { headers: { accept: 'application/json' } })).json();
export const pretty = (value) => JSON.stringify(value, null, 2);
export const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
export const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));
export const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * The code in the newest message to an address, from the development inbox.
 *
 * @param to as typed: the service sends to addresses in small letters
 */
export async function codeFor(to) {
  const address = to.trim().toLowerCase();
  return (await jsonOf('/dev/inbox')).find((each) => each.to.toLowerCase() === address)?.code ?? '';
}
