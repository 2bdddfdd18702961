import { codeForm, html, page } from '../../pages/index.js';
import type { ListedInvite } from './invites.repository.js';

interface InvitePage {
  invite: ListedInvite;
  /** The operations for users of the console, by path. */
  sdk: string;
  /** Where the API is reached, as configured. */
  api: string;
  /** Whether the service serves its explorer, where a member goes from here. */
  docs: boolean;
}

/** What the emailed link shows: the offer, a code to prove the address with, and two answers. */
export function invitePage({ invite, sdk, api, docs }: InvitePage): string {
  const { organizationName, role, email, id } = invite;
  return page({
    title: `Join ${organizationName}`,
    body: html`<div id="invite" data-path="${`/api/v0/invites/${id}`}">
        <p>You are invited to <strong>${organizationName}</strong> as <strong>${role}</strong>.</p>
        <p id="told">The invite is for <strong>${email}</strong>: a code shows that this address is yours.</p>
        ${codeForm({ sdk, email })}
        <p id="answers" hidden>
          <button type="button" data-answer="accepted">Accept</button>
          <button type="button" data-answer="rejected">Decline</button>
        </p>
        <p id="said" role="status"></p>
        ${docs && html`<p id="next" hidden><a href="/docs">Go to the dashboard</a></p>`}
        <noscript>This page needs JavaScript; below is what it does.</noscript>
      </div>
      <details>
        <summary>The same without this page</summary>
        <p>Have a code sent, sign in with it, and answer with the <code>jwt</code> of that sign-in:</p>
        <pre>${post(`${api}/sdk/${sdk.split('/').at(-1)}/emailVerifications/create`, { email })}</pre>
        <pre>${`curl -X PUT ${api}/invites/${id} -H 'Authorization: Bearer …' ${json({ status: 'accepted' })}`}</pre>
      </details>`,
    modules: ['/invites/assets/invite.js'],
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
