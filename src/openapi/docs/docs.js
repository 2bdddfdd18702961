/* global crypto, document, location, sessionStorage, SwaggerUIBundle */
import { call, forget, keep, keptToken, nameIn, signInByCode } from '/pages/member.js';
import { liveProof, offerFactors } from '/docs/assets/factors.js';
import { resolveSubtree } from '/docs/assets/subtrees.js';

/** Credentials that a person gave the explorer in this tab, by scheme: a reload finds them, another tab does not. */
const GIVEN = 'gatehouse.explorer';
const given = () => JSON.parse(sessionStorage.getItem(GIVEN) ?? '{}');
const give = (changes) => sessionStorage.setItem(GIVEN, JSON.stringify({ ...given(), ...changes }));

/** Stands in the document where a key of its own is to go with each call. */
const FRESH_KEY = 'a-new-one-for-each-call';

const element = (id) => document.getElementById(id);
const form = element('code-form');
const start = await call('/docs/start.json');
const { consoleSdk } = start;
/** The tokens that stand in for those of a person; null without a demo, and once it is gone. */
let { demo } = start;

/** Whose token calls for members go out with: that of a sign-in here, one that was given, or that of the demo. */
const memberToken = () => keptToken() ?? given().member ?? demo?.userToken ?? null;

function showWho(otherwise = 'Not signed in') {
  const session = keptToken();
  const own = given();
  const who = element('who');
  if (session) who.textContent = `Signed in as ${nameIn(session)}${own.apiToken ? ', with an API token of yours' : ''}`;
  else if (own.member) who.textContent = 'With a token of yours';
  else if (own.apiToken) who.textContent = 'With an API token of yours';
  else if (demo) who.textContent = `The tokens of the demo are filled in: ${demo.email} and the sandbox`;
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
  sessionStorage.removeItem(GIVEN);
  location.reload();
});
element('token-form').addEventListener('submit', (event) => {
  event.preventDefault();
  give({ member: event.target.elements.token.value.trim() });
  location.reload();
});
signInByCode(form, () => location.reload());
showWho();
element('dev').hidden = !demo;

/** The explorer, once the document is there. */
let explorer = null;

/** True while this page, and nobody else, puts credentials into the explorer or takes them out. */
let isOwnDoing = false;
function byItself(action) {
  isOwnDoing = true;
  action();
  isOwnDoing = false;
}
const fill = (name, value) => byItself(() => explorer?.preauthorizeApiKey(name, value));

/** Tokens of the console that take the place of those before. */
function renew(tokens) {
  keep(tokens);
  fill('member', tokens.jwt);
}
offerFactors(consoleSdk, renew);

/** @returns null when it is for members and nobody has signed in */
async function load() {
  const token = memberToken();
  return call('/docs/openapi.json', { token: token ?? undefined }).catch((error) => {
    if (error.code !== 'unauthorized') throw error;
    if (token) {
      forget();
      give({ member: null });
      showWho('That token is not good, or not any more');
    }
    return null;
  });
}

/** With the project of the demo its tokens go: they are not to stand here any longer. */
async function lookForDemo() {
  if (!demo || (await call('/docs/start.json')).demo?.environmentId === demo.environmentId) return;
  demo = null;
  const filledIn = ['apiToken', ...(keptToken() ? [] : ['member'])].filter((name) => !given()[name]);
  byItself(() => explorer.authActions.logout(filledIn));
  showWho('The demo is gone, and its tokens with it: sign in, or start the service again for another one');
}

function keepGiven(changes) {
  give(changes);
  showWho();
}

/** Keeps what is given in the dialog, and forgets what is taken back. */
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

/** Takes the place of a resolver that takes seconds for each part of a document as long as this one. */
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
    // The hosted validator would be sent the address of this service.
    validatorUrl: null,
    requestInterceptor: prepare,
    responseInterceptor: learn,
    onComplete() {
      // Whoever has signed in calls as themselves; the tokens of the demo are for those who have not.
      const own = keptToken() ? {} : { apiToken: demo?.apiToken };
      const known = { ...own, ...given(), member: memberToken() };
      for (const [name, value] of Object.entries(known)) if (value) fill(name, value);
      element('explorer').dataset.ready = 'true';
    },
  });

  /** Tokens in answers are those that the next calls want to have. */
  function learn(answer) {
    const [, environment] = /\/sdk\/([0-9a-f-]{36})\//.exec(answer.url) ?? [];
    const jwt = answer.ok && environment && answer.body?.jwt;
    if (jwt && consoleSdk.endsWith(environment)) {
      renew(answer.body);
      showWho();
    } else if (jwt) {
      keepGiven({ endUser: jwt });
      fill('endUser', jwt);
    } else if (answer.status === 401) void lookForDemo().catch(() => undefined);
    return answer;
  }
}

/**
 * Each call has a key of its own, the demo's token, which is of its sandbox alone, goes nowhere else, and calls of whoever
 * is signed in carry the proof that they gave a moment ago.
 */
function prepare(request) {
  const key = Object.keys(request.headers).find((name) => name.toLowerCase() === 'idempotency-key');
  if (key && request.headers[key] === FRESH_KEY) request.headers[key] = uuid();
  const [, environment] = /\/environments\/([0-9a-f-]{36})/.exec(request.url) ?? [];
  const isDemo = demo && request.headers.Authorization === `Bearer ${demo.apiToken}`;
  const member = memberToken();
  if (isDemo && environment && environment !== demo.environmentId && member) {
    request.headers.Authorization = `Bearer ${member}`;
  }
  const proven = liveProof();
  if (proven && request.headers.Authorization === `Bearer ${keptToken()}`) {
    request.headers['x-elevated-access-token'] ??= proven;
  }
  return request;
}

/** RFC 9562 §5.4, also where the page is not served over TLS. */
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const spec = await load().catch((error) => {
  element('explorer').textContent = error.message;
  return undefined;
});
if (spec) explore(spec);
if (spec === null) {
  form.hidden = false;
  element('members-alone').hidden = false;
  element('members-only').hidden = false;
  element('sign-in').hidden = true;
}
