/* global atob, location, TextDecoder */
import { attempt, call, HOME, jsonOf, onClick, part, pretty } from './service.js';

// The session of the signed-in user.
const WEBHOOK_SECONDS = 20;
/** The only scope while a second factor is due. */
const PARTIAL = 'requiresAdditionalAuth';

/** In place of tokens, which the service gives to no page if `security.auth.storage` is the cookie. */
const IN_COOKIE = 'In a cookie, which no page can read.';

let session = null;
const followers = [];

/** Runs on each change of the session while a user is signed in. */
export const whenIn = (follow) => followers.push(follow);
export const current = () => session;

/** Makes a call as the signed-in user, with the proof from the sign-in if there is one. */
export const own = (path, body, { headers, ...options } = {}) =>
  call(path, body, {
    ...options,
    token: session.minifiedJwt,
    headers: {
      ...(session.elevatedAccessToken && { 'x-elevated-access-token': session.elevatedAccessToken }),
      ...headers,
    },
  });

const decoded = (token) =>
  JSON.parse(
    new TextDecoder().decode(
      Uint8Array.from(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)),
    ),
  );

/** Takes over the tokens of a response; missing ones are kept. */
export function enter(answer) {
  const isSame = session?.user.id === answer.user.id;
  const elevatedAccessToken = answer.elevatedAccessToken ?? (isSame ? session.elevatedAccessToken : null);
  session = { ...(isSame && session), ...answer, elevatedAccessToken };
  const { user, jwt, minifiedJwt } = session;
  session.claims = minifiedJwt ? decoded(minifiedJwt) : { scope: user.scope };
  const { scope = '' } = session.claims;
  session.isPartial = scope.split(' ').includes(PARTIAL);
  part('who').textContent = session.isPartial
    ? 'One more proof'
    : `Signed in as ${user.email ?? user.firstName ?? user.alias ?? user.verifiedCredentials[0]?.public_identifier ?? user.id}`;
  part('scopes').textContent = scope || 'none';
  part('user').textContent = pretty(user);
  part('tokens').textContent = minifiedJwt ? pretty({ jwt: decoded(jwt), minifiedJwt: session.claims }) : IN_COOKIE;
  part('doors').hidden = true;
  part('session').hidden = false;
  part('inside').hidden = session.isPartial;
  part('second').hidden = !session.isPartial;
  for (const follow of followers) void attempt(async () => follow(session));
  if (isSame) return;
  part('webhooks').textContent = 'Waiting for the first one…';
  void attempt(() => followWebhooks(session));
}

/** Refreshes the session. */
export const refresh = async () => enter(await own('/refresh', null, { method: 'POST' }));

/** Shows the webhook messages about the user that the catcher received. */
async function followWebhooks({ user }) {
  for (let waited = 0; waited < WEBHOOK_SECONDS; waited += 1) {
    // Nobody asked for this call, so nobody is told that the network was away.
    const caught = await jsonOf('/dev/webhooks').catch(() => []);
    const about = caught.filter(({ body }) => JSON.stringify(body).includes(user.id));
    if (session?.user.id !== user.id) return;
    if (about.length > 0) part('webhooks').textContent = about.map(({ body }) => pretty(body)).join('\n\n');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function leave() {
  await call('/revoke', null, { method: 'POST', token: session.minifiedJwt }).catch((error) => {
    // The session has already ended.
    if (error.code !== 'unauthorized') throw error;
  });
  // A new page: keys, secrets and passwords on this one are not for the next user.
  location.replace(HOME);
}

export const openSession = () => onClick(part('leave'), leave);
