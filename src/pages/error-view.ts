import type { ErrorView } from '../common/http/error.filter.js';
import { html } from './html.js';
import { page } from './layout.js';
import { asPage } from './send-page.js';

/** What a person sees whose sign-in went wrong between two sites: what happened, and a name for it to report. */
export const errorView: ErrorView = (response, { message, code, requestId, docUrl }) =>
  asPage(
    response,
    page({
      title: 'This did not work',
      body: html`<p>${message}</p>
        <p>Close this window, or go back to the application and begin again.</p>
        <p>
          If it happens again, tell its operator: <a href="${docUrl}"><code>${code}</code></a
          >, ${requestId}.
        </p>`,
    }),
  );
