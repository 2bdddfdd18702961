/* global history, location, sessionStorage */
import { attempt, button, call, HOME, part, random, SCOPES, SDK } from './service.js';
import { enter } from './session.js';

// Sign-in with an account at a provider, to which the browser is redirected.
const PENDING = 'gatehouse-dev-sign-in';
const DEVELOPMENT_CLIENT = 'development';

async function leaveFor(provider) {
  const state = random();
  await call(`/providers/${provider}/initAuth`, { state, redirectUrl: HOME });
  sessionStorage.setItem(PENDING, JSON.stringify({ provider, state }));
  location.assign(`${SDK}/providers/${provider}/login?state=${state}`);
}

async function comeBack() {
  const query = new URLSearchParams(location.search);
  if (!query.has('state')) return;
  const pending = JSON.parse(sessionStorage.getItem(PENDING) ?? 'null');
  if (!pending) return;
  history.replaceState(null, '', HOME);
  sessionStorage.removeItem(PENDING);
  if (query.get('state') !== pending.state) throw new Error('This sign-in was started in another tab.');
  if (query.has('error')) throw new Error(`The provider returned an error: ${query.get('error')}`);
  const body = { state: pending.state, code: query.get('code'), requestedScopes: SCOPES };
  enter(await call(`/providers/${pending.provider}/signIn`, body));
}

export function offerAccounts({ providers = [] }) {
  for (const { provider, clientId, baseAuthUrl } of providers) {
    if (!baseAuthUrl) continue;
    const isHere = clientId === DEVELOPMENT_CLIENT;
    const label = isHere ? `Sign in with a name (as ${provider})` : `Sign in with ${provider}`;
    const made = button(label, () => leaveFor(provider));
    made.id = `provider-${provider}`;
    part('providers').append(made, ' ');
    part('providers').hidden = false;
  }
  void attempt(comeBack);
}
