/* global sessionStorage */
/** Who is signed in to this tab as a member, and the calls that pages make for them. */
const KEY = 'gatehouse.session';

/** The token of this tab; null without one, or when it has expired. */
export function keptToken() {
  try {
    const { jwt, expiresAt } = JSON.parse(sessionStorage.getItem(KEY));
    return Number(expiresAt) * 1000 > Date.now() ? jwt : null;
  } catch {
    return null;
  }
}

/** Keeps the tokens of a sign-in until the tab is closed: a reload finds them, another site and another tab do not. */
export const keep = ({ jwt, expiresAt }) => sessionStorage.setItem(KEY, JSON.stringify({ jwt, expiresAt }));

export const forget = () => sessionStorage.removeItem(KEY);

/** Whose token it is, as it says itself: for showing, and for nothing else. */
export function nameIn(jwt) {
  try {
    const bytes = Uint8Array.from(atob(jwt.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
    const { email, sub } = JSON.parse(new TextDecoder().decode(bytes));
    return email ?? sub ?? '';
  } catch {
    return '';
  }
}

/** The answer to a call. @throws Error with what the service says, for the person to read */
export async function call(path, { method = 'GET', body, token } = {}) {
  const answer = await fetch(path, {
    method,
    headers: {
      Accept: 'application/json',
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error('The service cannot be reached. Try again.');
  });
  const text = await answer.text();
  const value = text ? JSON.parse(text) : null;
  if (answer.ok) return value;
  const said = typeof value?.error === 'object' ? value.error.message : value?.error;
  throw Object.assign(new Error([said, value?.hint].filter(Boolean).join(' ')), { code: value?.code });
}

/**
 * Has two steps of a form done: an address to which a code is sent, and the code. Calls `done` with the token.
 *
 * @param form with `[data-step=address]` and `[data-step=code]`, a status line, and `data-sdk`, where codes are asked for
 */
export function signInByCode(form, done) {
  const step = (name) => form.querySelector(`[data-step=${name}]`);
  const status = form.querySelector('[role=status]');
  const sdk = form.dataset.sdk;
  let verificationUUID = null;
  const show = (name) => {
    for (const one of ['address', 'code']) step(one).hidden = one !== name;
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = event.submitter;
    if (button) button.disabled = true;
    status.textContent = '';
    try {
      if (verificationUUID === null) {
        const email = form.elements.email.value.trim();
        ({ verificationUUID } = await call(`${sdk}/emailVerifications/create`, { method: 'POST', body: { email } }));
        show('code');
        form.elements.code.focus();
        status.textContent = `A code is on its way to ${email}. It is good for ten minutes.`;
      } else {
        const body = { verificationUUID, verificationToken: form.elements.code.value.trim() };
        const signedIn = await call(`${sdk}/emailVerifications/signin`, { method: 'POST', body });
        keep(signedIn);
        await done(signedIn);
      }
    } catch (error) {
      status.textContent = error.message;
    } finally {
      if (button) button.disabled = false;
    }
  });
  form.querySelector('[data-again]').addEventListener('click', () => {
    verificationUUID = null;
    form.elements.code.value = '';
    status.textContent = '';
    show('address');
  });
}
