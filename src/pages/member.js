/* global atob, btoa, crypto, sessionStorage, TextDecoder */
import { assertion, knowsPasskeys } from '/pages/passkey.js';

/** The member session of this tab, and the API calls that pages make with it. */
const KEY = 'gatehouse.session';
const POLL_MS = 2000;

/** The only scope while a second factor is due. */
const PARTIAL = 'requiresAdditionalAuth';

/** What this tab keeps until it is closed; null where the browser blocks it, as it does together with cookies. */
export function tabStorage() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

/** Before a code or a link is used up for a session that could not be kept. @throws Error with what the user can do */
export function assertKeeps() {
  if (tabStorage()) return;
  throw new Error(
    'This browser blocks cookies and storage for this site. To sign in here, allow them, and reload the page.',
  );
}

/** The session of this tab, even if partial; null without one or once it has expired. */
function keptSession() {
  try {
    const session = JSON.parse(tabStorage().getItem(KEY));
    return Number(session.expiresAt) * 1000 > Date.now() ? session : null;
  } catch {
    return null;
  }
}

/** The unverified claims of a token, for display only. */
function claimsIn(jwt) {
  try {
    const bytes = Uint8Array.from(atob(jwt.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')), (c) =>
      c.charCodeAt(0),
    );
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return {};
  }
}

/** Whether the session waits for a second factor and can do nothing else. */
const isPartial = (jwt) => String(claimsIn(jwt).scope).split(' ').includes(PARTIAL);

/** The token of this tab; null without a complete session. */
export function keptToken() {
  const session = keptSession();
  return session && !isPartial(session.jwt) ? session.jwt : null;
}

/** Seconds until the token of this tab expires; 0 without one. */
export const secondsLeft = () => Math.max(0, Number(keptSession()?.expiresAt ?? 0) - Date.now() / 1000);

/** Keeps the token of a sign-in until the tab is closed: a reload finds it, other tabs and sites do not. */
export const keep = ({ jwt, expiresAt }) => tabStorage()?.setItem(KEY, JSON.stringify({ jwt, expiresAt }));

export const forget = () => tabStorage()?.removeItem(KEY);

/** The email address or the id of a token's user. */
export function nameIn(jwt) {
  const { email, sub } = claimsIn(jwt);
  return email ?? sub ?? '';
}

function unreachable() {
  throw new Error('The service cannot be reached. Try again.');
}

/** A balancer that reaches no instance answers with a page of its own. */
function parsed(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return unreachable();
  }
}

/** Calls the API and returns the body. @throws Error with the service's message for the user */
export async function call(path, { method = 'GET', body, token, headers } = {}) {
  const answer = await fetch(path, {
    method,
    headers: {
      Accept: 'application/json',
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(unreachable);
  const value = parsed(await answer.text().catch(unreachable));
  if (answer.ok) return value;
  const said = typeof value?.error === 'object' ? value.error.message : value?.error;
  const wait = answer.headers.get('retry-after');
  const sentences = [said, value?.hint, wait && `Seconds to wait: ${wait}.`];
  throw Object.assign(new Error(sentences.filter(Boolean).join(' ')), { code: value?.code });
}

/**
 * Presents a passkey as second factor.
 *
 * @param sdk the path of the operations for console users
 * @param wanted further request fields: `createMfaToken`, `requestedScopes`
 * @returns the new tokens, which replace the previous ones
 */
export async function givePasskey(sdk, token, wanted = {}) {
  const { passkeys } = await call(`${sdk}/users/mfa/methods`, { token });
  const signed = await assertion(await call(`${sdk}/users/passkeys/authenticate`, { token }), passkeys);
  return call(`${sdk}/users/mfa/auth/passkey`, { method: 'POST', body: { ...signed, ...wanted }, token });
}

/** 32 random bytes in base64url. */
function newState() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '');
}

/**
 * Runs the sign-in form: the address, then a code or the single sign-on of its organization, then a second factor if
 * required. Calls `done` with the tokens.
 *
 * @param form from `codeForm`
 */
export function signInByCode(form, done) {
  const status = form.querySelector('[role=status]');
  const { sdk } = form.dataset;
  const passkey = form.querySelector('[data-passkey]');
  const value = (name) => form.elements[name].value.trim();
  let step = 'address';
  let verificationUUID;
  let signedIn;
  const show = (name) => {
    step = name;
    for (const part of form.querySelectorAll('[data-step]')) {
      part.hidden = part.dataset.step !== name;
      // Required fields of hidden steps would block the submission.
      for (const field of part.querySelectorAll('input')) field.disabled = part.hidden;
    }
  };
  const finish = async (answer) => {
    signedIn = { ...signedIn, ...answer };
    keep(signedIn);
    if (isPartial(signedIn.jwt)) await askForSecond();
    else await done(signedIn);
  };
  const askForSecond = async () => {
    show('second');
    form.hidden = false;
    form.elements.second.focus();
    const { passkeys } = await call(`${sdk}/users/mfa/methods`, { token: signedIn.jwt });
    passkey.hidden = passkeys.length === 0 || !knowsPasskeys();
  };
  /** The provider opens in another tab, while this one polls for the result. */
  const leave = async ({ id: ssoProviderId, provider }) => {
    const base = `${sdk}/providers/${provider}`;
    const state = newState();
    await call(`${base}/initAuth`, { method: 'POST', body: { state, ssoProviderId } });
    form.querySelector('[data-elsewhere]').href = `${base}/login?state=${state}`;
    show('elsewhere');
    void wait(base, state);
  };
  const wait = async (base, state) => {
    try {
      await ask(base, state);
    } catch (error) {
      status.textContent = error.message;
      show('address');
    }
  };
  const ask = async (base, state) => {
    const { status: answered, code, error } = await call(`${base}/oauthResult`, { method: 'POST', body: { state } });
    if (step !== 'elsewhere') return;
    if (error) throw new Error(`The provider did not sign you in: ${error}.`);
    if (answered === 'completed') await finish(await call(`${base}/signIn`, { method: 'POST', body: { state, code } }));
    else setTimeout(() => wait(base, state), POLL_MS);
  };
  const steps = {
    async address() {
      assertKeeps();
      const door = await call(`${sdk}/ssoProvider`, { method: 'POST', body: { email: value('email') } });
      if (door.type === 'sso') await leave(door);
      else await steps.elsewhere();
    },
    /** The user wants a code after all; the service decides whether to send one. */
    async elsewhere() {
      const body = { email: value('email') };
      ({ verificationUUID } = await call(`${sdk}/emailVerifications/create`, { method: 'POST', body }));
      show('code');
      form.elements.code.focus();
      status.textContent = `A code was sent to ${body.email}. It expires after ten minutes.`;
    },
    async code() {
      const body = { verificationUUID, verificationToken: value('code') };
      await finish(await call(`${sdk}/emailVerifications/signin`, { method: 'POST', body }));
    },
    async second() {
      const code = value('second');
      const kind = /^\d{6}$/.test(code) ? 'totp' : 'recovery';
      await finish(
        await call(`${sdk}/users/mfa/auth/${kind}`, { method: 'POST', body: { code }, token: signedIn.jwt }),
      );
    },
  };
  const attempt = async (action, button) => {
    if (button) button.disabled = true;
    status.textContent = '';
    try {
      await action();
    } catch (error) {
      status.textContent = error.message;
    } finally {
      if (button) button.disabled = false;
    }
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(steps[step], event.submitter);
  });
  passkey.addEventListener('click', () => attempt(async () => finish(await givePasskey(sdk, signedIn.jwt)), passkey));
  form.querySelector('[data-again]').addEventListener('click', () => {
    form.elements.code.value = '';
    status.textContent = '';
    show('address');
  });
  // After a reload or a sign-in link, the second factor may still be due.
  signedIn = keptSession();
  if (signedIn && isPartial(signedIn.jwt)) void attempt(askForSecond);
}
