/* global BroadcastChannel, crypto, document, location, SwaggerUIBundle */
import {
  assertKeeps,
  call,
  forget,
  keep,
  keptToken,
  nameIn,
  secondsLeft,
  signInByCode,
  tabStorage,
} from '/pages/member.js';
import { liveProof, offerFactors } from '/docs/assets/factors.js';
import { resolveSubtree } from '/docs/assets/subtrees.js';

/** Credentials entered in this tab, by scheme: a reload finds them if the tab may keep anything, other tabs do not. */
const GIVEN = 'gatehouse.explorer';
const given = () => JSON.parse(tabStorage()?.getItem(GIVEN) ?? '{}');
const give = (changes) => tabStorage()?.setItem(GIVEN, JSON.stringify({ ...given(), ...changes }));

/** A placeholder in the document, replaced with a new key for each call. */
const FRESH_KEY = 'a-new-one-for-each-call';

const element = (id) => document.getElementById(id);
const form = element('code-form');
/** In place of the explorer. */
const say = (text) => (element('explorer').textContent = text);

/** @throws the given error, once the page says what the user can do */
function giveUp(error) {
  say(`${error.message} Reload the page.`);
  throw error;
}
const start = await call('/docs/start.json').catch(giveUp);
const { consoleSdk } = start;
/** The demo's tokens; null without a demo or once it is deleted. */
let { demo } = start;

/** The member token for calls: from a sign-in here, entered by the user, or from the demo. */
const memberToken = () => keptToken() ?? given().member ?? demo?.userToken ?? null;

/** Whether the page was ever shown to somebody who had signed in on it. */
let wasSignedIn = false;

function showWho(otherwise = 'Not signed in') {
  const session = keptToken();
  const own = given();
  const who = element('who');
  wasSignedIn ||= Boolean(session);
  if (session) who.textContent = `Signed in as ${nameIn(session)}${own.apiToken ? ', using your API token' : ''}`;
  else if (own.member) who.textContent = 'Using your token';
  else if (own.apiToken) who.textContent = 'Using your API token';
  else if (wasSignedIn) who.textContent = 'Your session has ended: sign in again';
  else if (demo) who.textContent = `The demo tokens are filled in: ${demo.email} and the sandbox`;
  else who.textContent = otherwise;
  element('sign-in').hidden = Boolean(session);
  element('sign-out').hidden = !session && !Object.values(own).some(Boolean);
}

element('sign-in').addEventListener('click', () => {
  form.hidden = !form.hidden;
  if (!form.hidden) form.elements.email.focus();
});
element('sign-out').addEventListener('click', async () => {
  const session = keptToken();
  if (session) await call(`${consoleSdk}/revoke`, { method: 'POST', token: session }).catch(() => undefined);
  forget();
  tabStorage()?.removeItem(GIVEN);
  location.reload();
});
element('token-form').addEventListener('submit', (event) => {
  event.preventDefault();
  try {
    assertKeeps();
    give({ member: event.target.elements.token.value.trim() });
    location.reload();
  } catch (error) {
    element('who').textContent = error.message;
  }
});
signInByCode(form, () => location.reload());
showWho();
element('dev').hidden = !demo;

/** The explorer, once the document is loaded. */
let explorer = null;

/** True while this page, rather than the user, changes the explorer's credentials. */
let isOwnDoing = false;
function byItself(action) {
  isOwnDoing = true;
  action();
  isOwnDoing = false;
}
const fill = (name, value) => byItself(() => explorer?.preauthorizeApiKey(name, value));

/** A tab that was duplicated has the same token, and a token that was exchanged ends the session if it is used again. */
const twins = new BroadcastChannel('gatehouse.session');
twins.onmessage = ({ data: { replaced, tokens } }) => {
  if (keptToken() === replaced) adopt(tokens);
};

function adopt({ jwt, expiresAt }) {
  keep({ jwt, expiresAt });
  fill('member', jwt);
}

/** Replaces the console tokens. */
function renew({ jwt, expiresAt }) {
  const replaced = keptToken();
  adopt({ jwt, expiresAt });
  if (replaced) twins.postMessage({ replaced, tokens: { jwt, expiresAt } });
}

/** Tokens last for a quarter of an hour, a session for days: with less than this left, the next call renews the token. */
const RENEWED_SECONDS = 600;
let renewal = null;

/** @returns the token for a call of the signed-in member; of calls made at once, one renews it */
async function freshToken() {
  if (secondsLeft() < RENEWED_SECONDS) {
    renewal ??= call(`${consoleSdk}/refresh`, { method: 'POST', token: keptToken() })
      .then(renew)
      // The call itself says what is wrong.
      .catch(() => undefined)
      .finally(() => (renewal = null));
    await renewal;
  }
  return keptToken();
}
offerFactors(consoleSdk, renew);

const isUnauthorized = ({ code }) => code === 'unauthorized';

/** @returns the document, or null if it is for members and nobody is signed in */
async function load() {
  const token = memberToken();
  return call('/docs/openapi.json', { token: token ?? undefined }).catch((error) => {
    if (!isUnauthorized(error)) throw error;
    if (token) {
      forget();
      give({ member: null });
      showWho('That token is invalid or has expired');
    }
    return null;
  });
}

/** Removes the demo's tokens once its project is deleted. */
async function lookForDemo() {
  if (!demo || (await call('/docs/start.json')).demo?.environmentId === demo.environmentId) return;
  demo = null;
  const filledIn = ['apiToken', ...(keptToken() ? [] : ['member'])].filter((name) => !given()[name]);
  byItself(() => explorer.authActions.logout(filledIn));
  showWho('The demo and its tokens were deleted: sign in, or restart the service to create a new one');
}

/** Says so once the session of a sign-in on this page has expired or was revoked. */
async function lookForSession() {
  if (!wasSignedIn) return;
  const token = keptToken();
  const isOver = !token || (await call(`${consoleSdk}/session`, { token }).then(() => false, isUnauthorized));
  if (!isOver) return;
  forget();
  const { member } = given();
  if (member) fill('member', member);
  else byItself(() => explorer.authActions.logout(['member']));
  element('factors').hidden = true;
  showWho();
}

function keepGiven(changes) {
  give(changes);
  showWho();
}

/** Remembers credentials entered in the dialog, and forgets removed ones. */
const keepsGiven = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (original) => (payload) => {
          const values = Object.entries(payload).map(([name, { value }]) => [name, value]);
          if (!isOwnDoing) keepGiven(Object.fromEntries(values));
          return original(payload);
        },
        logout: (original) => (names) => {
          if (!isOwnDoing) keepGiven(Object.fromEntries(names.map((name) => [name, null])));
          return original(names);
        },
      },
    },
  },
});

/** Replaces a resolver that takes seconds per operation with a document of this size. */
const resolvesHere = () => ({
  fn: {
    resolveSubtree: async (whole, path, { baseDoc }) => ({ spec: resolveSubtree(whole, path, baseDoc), errors: [] }),
  },
});

function explore(spec) {
  explorer = SwaggerUIBundle({
    spec,
    domNode: element('explorer'),
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    persistAuthorization: false,
    tryItOutEnabled: true,
    plugins: [keepsGiven, resolvesHere],
    // Disabled, because the hosted validator would be sent the address of this service.
    validatorUrl: null,
    requestInterceptor: prepare,
    responseInterceptor: learn,
    onComplete() {
      // The demo tokens are only for people who have not signed in.
      const own = keptToken() ? {} : { apiToken: demo?.apiToken };
      const known = { ...own, ...given(), member: memberToken() };
      for (const [name, value] of Object.entries(known)) if (value) fill(name, value);
      element('explorer').dataset.ready = 'true';
    },
  });

  /** Uses tokens from responses for the next calls. */
  function learn(answer) {
    const [, environment] = /\/sdk\/([0-9a-f-]{36})\//.exec(answer.url) ?? [];
    const jwt = answer.ok && environment && answer.body?.jwt;
    if (jwt && consoleSdk.endsWith(environment)) {
      renew(answer.body);
      showWho();
    } else if (jwt) {
      keepGiven({ endUser: jwt });
      fill('endUser', jwt);
    } else if (answer.status === 401) {
      for (const look of [lookForDemo, lookForSession]) void look().catch(() => undefined);
    }
    return answer;
  }
}

/**
 * Gives each call a new idempotency key and sends the demo's API token only to its sandbox. Calls of the signed-in member
 * get a token that is not about to expire, and a recent proof.
 */
async function prepare(request) {
  const key = Object.keys(request.headers).find((name) => name.toLowerCase() === 'idempotency-key');
  if (key && request.headers[key] === FRESH_KEY) request.headers[key] = uuid();
  const [, environment] = /\/environments\/([0-9a-f-]{36})/.exec(request.url) ?? [];
  const isDemo = demo && request.headers.Authorization === `Bearer ${demo.apiToken}`;
  const member = memberToken();
  if (isDemo && environment && environment !== demo.environmentId && member) {
    request.headers.Authorization = `Bearer ${member}`;
  }
  if (keptToken() && request.headers.Authorization === `Bearer ${keptToken()}`) {
    const token = await freshToken();
    if (token) request.headers.Authorization = `Bearer ${token}`;
    const proven = liveProof();
    if (proven) request.headers['x-elevated-access-token'] ??= proven;
  }
  return request;
}

/** A UUIDv4 (RFC 9562 §5.4) that also works without TLS. */
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const spec = await load().catch((error) => {
  say(error.message);
  return undefined;
});
if (spec && typeof SwaggerUIBundle === 'undefined') say('The explorer could not be loaded. Reload the page.');
else if (spec) explore(spec);
if (spec === null) {
  say('');
  form.hidden = false;
  element('members-alone').hidden = false;
  element('members-only').hidden = false;
  element('sign-in').hidden = true;
}
