import { html, page } from '../../pages/index.js';
import type { ListedInvite } from './invites.repository.js';

interface InvitePage {
  invite: ListedInvite;
  consoleEnvironmentId: string;
  /** Where the API is reached, as configured. */
  api: string;
}

/** What the emailed link shows: the offer, and the calls by which its address accepts. */
export function invitePage({ invite, consoleEnvironmentId, api }: InvitePage): string {
  const { organizationName, role, email, id } = invite;
  const codes = `${api}/sdk/${consoleEnvironmentId}/emailVerifications`;
  return page({
    title: `Join ${organizationName}`,
    body: html`<p>You are invited to <strong>${organizationName}</strong> as <strong>${role}</strong>.</p>
      <p>The invite is for <strong>${email}</strong>: sign in with this address, then accept.</p>
      <ol>
        <li>
          Have a code sent to you.
          <pre>${post(`${codes}/create`, { email })}</pre>
        </li>
        <li>
          Sign in with it. The answer holds a token, <code>jwt</code>.
          <pre>${post(`${codes}/signin`, { verificationUUID: '…', verificationToken: '…' })}</pre>
        </li>
        <li>
          Accept, or answer <code>rejected</code>.
          <pre>${`curl -X PUT ${api}/invites/${id} -H 'Authorization: Bearer …' ${json({ status: 'accepted' })}`}</pre>
        </li>
      </ol>`,
  });
}

/** For a link that was mistyped, answered, withdrawn or has expired: nobody learns which. */
export const closedInvitePage = (): string =>
  page({
    title: 'This invite is not open',
    body: html`<p>It was answered or withdrawn, or it has expired. Ask the organization for a new one.</p>`,
  });

const post = (url: string, body: object): string => `curl -X POST ${url} ${json(body)}`;
const json = (body: object): string =>
  `-H 'Content-Type: application/json' -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
