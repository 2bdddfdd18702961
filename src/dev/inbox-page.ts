import { html, page } from '../pages/index.js';
import type { InboxEntry } from '../providers/index.js';
import { DEVELOPMENT_PAGE } from './banner.js';

const ADDRESS = /(https?:\/\/[^\s<>"]*[\w/])/;

/** Turns addresses into links, as a mail program does. */
const withLinks = (text: string) =>
  text.split(ADDRESS).map((part, at) => (at % 2 ? html`<a href="${part}" rel="noreferrer">${part}</a>` : part));

const letter = ({ at, channel, to, subject, text, code }: InboxEntry) =>
  html`<article>
    <h2>${subject ?? (channel === 'sms' ? 'SMS' : 'No subject')}</h2>
    <p class="muted">${channel} to ${to}, <time datetime="${at.toISOString()}">${at.toISOString()}</time></p>
    ${
      code &&
      html`<p class="code"><code>${code}</code> <button type="button" data-copy="${code}">Copy code</button></p>`
    }
    <pre>${withLinks(text)}</pre>
  </article>`;

export const inboxPage = (entries: readonly InboxEntry[]): string =>
  page({
    title: 'Inbox',
    banner: DEVELOPMENT_PAGE,
    scripts: ['/pages/copy.js'],
    body: html`<p>
        Every email and text message that the service has sent since it started, newest first.
        <a href="/dev/inbox">Refresh</a>
      </p>
      ${entries.length === 0 && html`<p>Nothing sent yet.</p>`} ${entries.map(letter)}`,
  });
