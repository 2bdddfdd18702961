'use strict';

/* global atob, btoa, crypto, document, FormData, history, location, navigator, PublicKeyCredential, sessionStorage, */
/* global TextDecoder, TextEncoder, window */

// The page of /dev/app. It calls what applications call and shows what they get.
const app = document.getElementById('app');
const part = (id) => document.getElementById(id);
const SDK = app.dataset.sdk;
const HOME = `${location.origin}/dev/app`;
const PENDING = 'gatehouse-dev-sign-in';
/** What a first proof is asked to be good for, so that a passkey can be added without another one. */
const SCOPES = ['credential:link'];
const WEBHOOK_SECONDS = 20;

let session = null;

async function call(path, body, { method = body ? 'POST' : 'GET', token, elevated } = {}) {
  const response = await fetch(SDK + path, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(elevated && { 'x-elevated-access-token': elevated }),
    },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  const answer = text ? JSON.parse(text) : {};
  if (!response.ok) throw new Error([answer.code ?? response.status, answer.hint].filter(Boolean).join(': '));
  return answer;
}

/** Runs what a person asked for; what goes wrong is shown, never swallowed. */
async function attempt(action) {
  part('problem').hidden = true;
  try {
    await action();
  } catch (error) {
    part('problem').textContent = error.message;
    part('problem').hidden = false;
  }
}

const onSubmit = (id, action) =>
  part(id).addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(() => action(new FormData(event.target)));
  });
const onClick = (element, action) => element.addEventListener('click', () => void attempt(action));
const jsonOf = async (path) => (await fetch(path, { headers: { accept: 'application/json' } })).json();
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));
const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

// --- Codes by email and text message

let sent = null;

async function showCode(kind, verificationUUID, to) {
  sent = { kind, verificationUUID };
  const letter = (await jsonOf('/dev/inbox')).find((each) => each.to === to);
  part('email-code').hidden = false;
  part('email-code').elements.code.value = letter?.code ?? '';
}

onSubmit('email', async (form) => {
  const email = form.get('email');
  const { verificationUUID } = await call('/emailVerifications/create', { email });
  await showCode('email', verificationUUID, email);
});

onSubmit('sms', async (form) => {
  const match = /^\+(\d{1,3})\s+([\d ]+)$/.exec(form.get('number').trim());
  if (!match) throw new Error('Write the number as +41 79 000 00 00.');
  const [, phoneCountryCode, rest] = match;
  const phoneNumber = rest.replaceAll(' ', '');
  const { enabledCountries = [] } = smsProvider ?? {};
  const country = enabledCountries.find((each) => each.phoneCountryCode === phoneCountryCode);
  const body = { phoneCountryCode, phoneNumber, isoCountryCode: country?.isoCountryCode ?? 'US' };
  const { verificationUUID } = await call('/smsVerifications/create', body);
  await showCode('sms', verificationUUID, `+${phoneCountryCode}${phoneNumber}`);
});

onSubmit('email-code', async (form) => {
  const body = {
    verificationUUID: sent.verificationUUID,
    verificationToken: form.get('code'),
    requestedScopes: SCOPES,
  };
  show(await call(`/${sent.kind}Verifications/signin`, body));
});

// --- Accounts at providers

async function leaveFor(provider) {
  const state = random();
  await call(`/providers/${provider}/initAuth`, { state, redirectUrl: HOME });
  sessionStorage.setItem(PENDING, JSON.stringify({ provider, state }));
  location.assign(`${SDK}/providers/${provider}/login?state=${state}`);
}

async function comeBack() {
  const query = new URLSearchParams(location.search);
  const pending = JSON.parse(sessionStorage.getItem(PENDING) ?? 'null');
  if (!query.has('state') || !pending) return;
  history.replaceState(null, '', HOME);
  sessionStorage.removeItem(PENDING);
  if (query.get('state') !== pending.state) throw new Error('This sign-in was begun somewhere else.');
  if (query.has('error')) throw new Error(`The provider says: ${query.get('error')}`);
  const body = { state: pending.state, code: query.get('code'), requestedScopes: SCOPES };
  show(await call(`/providers/${pending.provider}/signIn`, body));
}

// --- Passkeys

async function signInWithPasskey() {
  const options = await call('/users/passkeys/signin');
  const allowCredentials = (options.allowCredentials ?? []).map((each) => ({ ...each, type: 'public-key' }));
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({ ...options, allowCredentials });
  const proof = (await navigator.credentials.get({ publicKey })).toJSON();
  const { id, rawId, type, clientExtensionResults, response } = proof;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const answer = { clientDataJSON, authenticatorData, signature, userHandle };
  show(await call('/users/passkeys/signin', { id, rawId, type, clientExtensionResults, response: answer }));
}

async function addPasskey() {
  const token = session.minifiedJwt;
  const options = await call('/users/passkeys/register', null, { token });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = (await navigator.credentials.create({ publicKey })).toJSON();
  const { attestationObject, clientDataJSON, transports } = made.response;
  const body = {
    id: made.id,
    rawId: made.rawId,
    type: made.type,
    authenticatorAttachment: made.authenticatorAttachment,
    clientExtensionResults: made.clientExtensionResults,
    response: { attestationObject, clientDataJson: clientDataJSON, transports },
  };
  await call('/users/passkeys/register', body, { token, elevated: session.elevatedAccessToken });
  part('add-passkey').hidden = true;
  part('added').textContent = 'The passkey was added. Sign out and use it.';
}

// --- Wallets of EVM, as browsers bring them (EIP-1193)

async function signInWithWallet() {
  const [address] = await window.ethereum.request({ method: 'eth_requestAccounts' });
  const chainId = Number(await window.ethereum.request({ method: 'eth_chainId' }));
  const { nonce } = await call('/nonce');
  const message = [
    `${location.host} wants you to sign in with your Ethereum account:`,
    address,
    '',
    'Sign in to the sandbox.',
    '',
    `URI: ${HOME}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${new Date().toISOString()}`,
  ].join('\n');
  const hex = `0x${[...new TextEncoder().encode(message)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  const signedMessage = await window.ethereum.request({ method: 'personal_sign', params: [hex, address] });
  const claim = { messageToSign: message, signedMessage, publicWalletAddress: address, chain: 'EVM' };
  const wallet = { walletName: 'browser', walletProvider: 'browserExtension' };
  show(await call('/verify', { ...claim, ...wallet, requestedScopes: SCOPES }));
}

// --- What comes of it

const decoded = (token) =>
  JSON.parse(
    new TextDecoder().decode(
      Uint8Array.from(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)),
    ),
  );
const pretty = (value) => JSON.stringify(value, null, 2);

function show(answer) {
  session = answer;
  const { user, jwt, minifiedJwt } = answer;
  const claims = decoded(minifiedJwt);
  part('who').textContent = `Signed in as ${user.email ?? user.firstName ?? user.alias ?? user.id}`;
  part('scopes').textContent = claims.scope || 'none';
  part('user').textContent = pretty(user);
  part('tokens').textContent = pretty({ jwt: decoded(jwt), minifiedJwt: claims });
  part('webhooks').textContent = 'Waiting for the first one…';
  part('added').textContent = '';
  part('add-passkey').hidden = !answer.elevatedAccessToken || !window.PublicKeyCredential;
  part('doors').hidden = true;
  part('email-code').hidden = true;
  part('session').hidden = false;
  void attempt(() => followWebhooks(answer));
}

/** Those about the user, as the catcher received them. */
async function followWebhooks({ user }) {
  for (let waited = 0; waited < WEBHOOK_SECONDS; waited += 1) {
    const about = (await jsonOf('/dev/webhooks')).filter(({ body }) => JSON.stringify(body).includes(user.id));
    if (session?.user.id !== user.id) return;
    if (about.length > 0) part('webhooks').textContent = about.map(({ body }) => pretty(body)).join('\n\n');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function leave() {
  await call('/revoke', null, { method: 'POST', token: session.minifiedJwt });
  session = null;
  part('session').hidden = true;
  part('doors').hidden = false;
}

let smsProvider = null;

/** The doors that the sandbox has opened. */
async function offer() {
  const { providers = [] } = await call('/settings');
  smsProvider = providers.find(({ provider }) => provider === 'sms') ?? null;
  part('email').hidden = !providers.some(({ provider }) => provider === 'emailOnly');
  part('sms').hidden = smsProvider === null;
  for (const { provider, clientId, baseAuthUrl } of providers) {
    if (!baseAuthUrl) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.id = `provider-${provider}`;
    button.textContent =
      clientId === 'development' ? `Sign in with a name (as ${provider})` : `Sign in with ${provider}`;
    onClick(button, () => leaveFor(provider));
    part('providers').append(button, ' ');
    part('providers').hidden = false;
  }
  part('passkey').hidden = !window.PublicKeyCredential;
  part('wallet').hidden = !window.ethereum;
}

onClick(part('passkey').querySelector('button'), signInWithPasskey);
onClick(part('wallet').querySelector('button'), signInWithWallet);
onClick(part('add-passkey'), addPasskey);
onClick(part('leave'), leave);
void attempt(async () => {
  await offer();
  await comeBack();
});
