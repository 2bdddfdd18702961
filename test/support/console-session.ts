import { ELEVATED_SCOPES } from '../../src/auth/index.js';
import type { Quickstart } from '../../src/dev/index.js';

interface Letter {
  to: string;
  code: string | null;
}

/** The headers of the demo's owner, just signed in to the console with a code from the inbox. */
export async function ownerHeaders(quickstart: Quickstart): Promise<Record<string, string>> {
  const { api, inbox, consoleEnvironmentId, dashboard } = quickstart;
  const post = async <T>(path: string, body: object): Promise<T> => {
    const headers = { 'content-type': 'application/json' };
    const address = `${api}/sdk/${consoleEnvironmentId}/emailVerifications${path}`;
    const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const { email } = dashboard;
  const { verificationUUID } = await post<{ verificationUUID: string }>('/create', { email });
  const letters = (await (await fetch(inbox, { headers: { accept: 'application/json' } })).json()) as Letter[];
  const verificationToken = letters.find(({ to, code }) => to === email && code !== null)?.code;
  const requestedScopes = ELEVATED_SCOPES.values;
  const signedIn = await post<{ jwt: string; elevatedAccessToken: string }>('/signin', {
    verificationUUID,
    verificationToken,
    requestedScopes,
  });
  return { authorization: `Bearer ${signedIn.jwt}`, 'x-elevated-access-token': signedIn.elevatedAccessToken };
}
