import type { ErrorDefinition } from '../../common/errors/index.js';
import { html, page } from '../../pages/index.js';
import { exampleOf } from './error-examples.js';
import { richText } from './rich-text.js';

/**
 * The page of one error: cause, fix, example.
 *
 * @param explorer whether the service serves /docs
 */
export const errorPage = (error: ErrorDefinition, pages: string, explorer: boolean): string =>
  page({
    title: error.code,
    body: html`<p><strong>${error.status}</strong> ${error.message}</p>
      <h2>When it happens</h2>
      <p>${richText(error.cause)}</p>
      <h2>What to do</h2>
      <p>${richText(error.fix)}</p>
      <h2>Example</h2>
      <pre><code>${JSON.stringify(exampleOf(error, pages), null, 2)}</code></pre>
      <p><a href="/docs/errors">All errors</a>${explorer && html` · <a href="/docs">API</a>`}</p>`,
  });

/** The list of all errors; `missing` is a requested code that does not exist. */
export const errorIndexPage = (errors: readonly ErrorDefinition[], missing?: string): string =>
  page({
    title: 'Errors',
    body: html`${missing !== undefined && html`<p role="alert">There is no error with the code <code>${missing}</code>.</p>`}
      <p>Every error has a stable <code>code</code>. Its page says what causes it and what to do.</p>
      <table>
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col">Status</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          ${errors.map(
            ({ code, status, message }) =>
              html`<tr>
                <td><a href="/docs/errors/${encodeURIComponent(code)}">${code}</a></td>
                <td>${status}</td>
                <td>${message}</td>
              </tr> `,
          )}
        </tbody>
      </table>`,
  });
