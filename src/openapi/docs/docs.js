/* global crypto, document, location, sessionStorage, SwaggerUIBundle */
import { call, forget, keep, keptToken, nameIn, signInByCode } from '/pages/member.js';

/** Credentials that a person gave the explorer in this tab, by scheme: a reload finds them, another tab does not. */
const GIVEN = 'gatehouse.explorer';
const given = () => JSON.parse(sessionStorage.getItem(GIVEN) ?? '{}');
const give = (changes) => sessionStorage.setItem(GIVEN, JSON.stringify({ ...given(), ...changes }));

/** Stands in the document where a key of its own is to go with each call. */
const FRESH_KEY = 'a-new-one-for-each-call';

const element = (id) => document.getElementById(id);
const form = element('code-form');
const { consoleSdk, demo } = await call('/docs/start.json');

/** Whose token calls for members go out with: that of a sign-in here, one that was given, or that of the demo. */
const memberToken = () => keptToken() ?? given().member ?? demo?.userToken ?? null;

function showWho() {
  const session = keptToken();
  const who = element('who');
  if (session) who.textContent = `Signed in as ${nameIn(session)}`;
  else if (given().member) who.textContent = 'With a token of yours';
  else if (demo) who.textContent = `The tokens of the demo are filled in: ${demo.email} and the sandbox`;
  else who.textContent = 'Not signed in';
  element('sign-in').hidden = Boolean(session);
  element('sign-out').hidden = !session && !given().member;
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

/** @returns null when it is for members and nobody has signed in */
async function load() {
  const token = memberToken();
  return call('/docs/openapi.json', { token: token ?? undefined }).catch((error) => {
    if (error.code !== 'unauthorized') throw error;
    if (token) forget();
    return null;
  });
}

/** Keeps what is given in the dialog, and forgets what is taken back. */
const keepsGiven = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (original) => (payload) => {
          const values = Object.entries(payload).map(([name, { value }]) => [name, value]);
          give(Object.fromEntries(values));
          return original(payload);
        },
        logout: (original) => (names) => {
          give(Object.fromEntries(names.map((name) => [name, null])));
          return original(names);
        },
      },
    },
  },
});

function explore(spec) {
  const explorer = SwaggerUIBundle({
    spec,
    domNode: element('explorer'),
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    persistAuthorization: false,
    tryItOutEnabled: true,
    plugins: [keepsGiven],
    // The hosted validator would be sent the address of this service.
    validatorUrl: null,
    requestInterceptor: prepare,
    responseInterceptor: learn,
    onComplete() {
      // Whoever has signed in calls as themselves; the tokens of the demo are for those who have not.
      const own = keptToken() ? {} : { apiToken: demo?.apiToken };
      const known = { ...own, ...given(), member: memberToken() };
      for (const [name, value] of Object.entries(known)) if (value) explorer.preauthorizeApiKey(name, value);
      element('explorer').dataset.ready = 'true';
    },
  });

  /** Tokens in answers are those that the next calls want to have. */
  function learn(answer) {
    const [, environment] = /\/sdk\/([0-9a-f-]{36})\//.exec(answer.url) ?? [];
    const jwt = answer.ok && environment && answer.body?.jwt;
    if (jwt && consoleSdk.endsWith(environment)) {
      keep(answer.body);
      explorer.preauthorizeApiKey('member', jwt);
      showWho();
    } else if (jwt) {
      give({ endUser: jwt });
      explorer.preauthorizeApiKey('endUser', jwt);
    }
    return answer;
  }
}

/** Each call has a key of its own; and the demo's token, which is of its sandbox alone, goes nowhere else. */
function prepare(request) {
  const key = Object.keys(request.headers).find((name) => name.toLowerCase() === 'idempotency-key');
  if (key && request.headers[key] === FRESH_KEY) request.headers[key] = uuid();
  const [, environment] = /\/environments\/([0-9a-f-]{36})/.exec(request.url) ?? [];
  const isDemo = demo && request.headers.Authorization === `Bearer ${demo.apiToken}`;
  const member = memberToken();
  if (isDemo && environment && environment !== demo.environmentId && member) {
    request.headers.Authorization = `Bearer ${member}`;
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
  element('members-only').hidden = false;
  element('sign-in').hidden = true;
}
