import { codeForm, html, page } from '../../pages/index.js';
import type { ListedInvite } from './invites.repository.js';

interface InvitePage {
  invite: ListedInvite;
  /** The path of the operations for console users. */
  sdk: string;
  /** The base URL of the API, as configured. */
  api: string;
  /** Whether the service serves the API explorer, where a member continues. */
  docs: boolean;
}

/** The page of an emailed invite: the offer, a code to verify the address, and buttons to accept or decline. */
export function invitePage({ invite, sdk, api, docs }: InvitePage): string {
  const { organizationName, role, email, id } = invite;
  return page({
    title: `Join ${organizationName}`,
    body: html`<div id="invite" data-path="${`/api/v0/invites/${id}`}">
        <p>You have been invited to <strong>${organizationName}</strong> as <strong>${role}</strong>.</p>
        <p id="told">The invite is for <strong>${email}</strong>. Verify this address with a code:</p>
        ${codeForm({ sdk, email })}
        <p id="answers" hidden>
          <button type="button" data-answer="accepted">Accept</button>
          <button type="button" data-answer="rejected">Decline</button>
        </p>
        <p id="said" role="status"></p>
        ${docs && html`<p id="next" hidden><a href="/docs">Go to the dashboard</a></p>`}
        <noscript>This page needs JavaScript. See below how to do the same without it.</noscript>
      </div>
      <details>
        <summary>The same without this page</summary>
        <p>Request a code, sign in with it, and respond with the <code>jwt</code> of that sign-in:</p>
        <pre>${post(`${api}/sdk/${sdk.split('/').at(-1)}/emailVerifications/create`, { email })}</pre>
        <pre>${`curl -X PUT ${api}/invites/${id} -H 'Authorization: Bearer …' ${json({ status: 'accepted' })}`}</pre>
      </details>`,
    modules: ['/invites/assets/invite.js'],
  });
}

/** For a link that is invalid, answered, withdrawn or expired, without saying which. */
export const closedInvitePage = (): string =>
  page({
    title: 'This invite is not open',
    body: html`<p>It was already answered, was withdrawn or has expired. Ask the organization for a new one.</p>`,
  });

const post = (url: string, body: object): string => `curl -X POST ${url} ${json(body)}`;
const json = (body: object): string =>
  `-H 'Content-Type: application/json' -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
