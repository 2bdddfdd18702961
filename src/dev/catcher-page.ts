import { html, page } from '../pages/index.js';
import { DEVELOPMENT_PAGE } from './banner.js';
import type { CaughtRequest } from './catcher.js';

const MEANINGS = { true: 'signature valid', false: 'signature invalid', null: 'secret unknown' } as const;

function nameOf(body: unknown): string {
  const name = typeof body === 'object' && body !== null ? (body as { eventName?: unknown }).eventName : null;
  return typeof name === 'string' ? name : 'Request';
}

const request = ({ at, headers, body, verified }: CaughtRequest) =>
  html`<article>
    <h2>${nameOf(body)}</h2>
    <p class="muted">
      <time datetime="${at.toISOString()}">${at.toISOString()}</time>,
      <strong class="${verified === true ? 'good' : verified === false ? 'bad' : ''}"
        >${MEANINGS[`${verified}`]}</strong
      >
    </p>
    <pre>${typeof body === 'string' ? body : JSON.stringify(body, null, 2)}</pre>
    <details>
      <summary>Headers</summary>
      <dl>
        ${Object.entries(headers).map(
          ([name, value]) =>
            html`<dt>${name}</dt>
              <dd>${String(value)}</dd>`,
        )}
      </dl>
    </details>
  </article>`;

export const catcherPage = (requests: readonly CaughtRequest[]): string =>
  page({
    title: 'Webhooks received',
    banner: DEVELOPMENT_PAGE,
    body: html`<p>
        Requests to <code>/dev/webhooks</code> since the service started, newest first.
        <code>/dev/webhooks/fail</code> responds with 500, <code>/dev/webhooks/gone</code> with 410.
        <a href="/dev/webhooks">Refresh</a>
      </p>
      ${requests.length === 0 && html`<p>Nothing received yet.</p>`} ${requests.map(request)}`,
  });
