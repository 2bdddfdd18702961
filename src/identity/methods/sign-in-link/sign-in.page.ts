import { html, page } from '../../../pages/index.js';

/** Where links lead. */
export const SIGN_IN_PATH = 'sign-in';

interface SignInPage {
  /** Whether the service serves its explorer, where a member goes from here. */
  docs: boolean;
  /** Where the API is reached, as configured. */
  api: string;
}

/**
 * What a link opens. Nothing happens before the button is pressed, so that a program that looks at links, as those of
 * mail and chat do, uses none up.
 */
export const signInPage = ({ docs, api }: SignInPage): string =>
  page({
    title: 'Sign in',
    body: html`<div id="sign-in" data-docs="${docs}">
      <p id="said" role="status">This link signs you in, once.</p>
      <p><button type="button" id="go">Sign in</button></p>
      <div id="in" hidden>
        <p>The token of your session calls the API, for instance to make a personal token:</p>
        <pre><code id="token"></code></pre>
        <p><button type="button" data-copy="">Copy the token</button></p>
        <pre>
curl -X POST ${api}/user/tokens \\
  -H 'Authorization: Bearer …' -H 'Content-Type: application/json' \\
  -d '{ "note": "My scripts" }'</pre>
        <p>The explorer of the API is off here; <code>API_DOCS=true</code> turns it on, for members.</p>
      </div>
      <noscript>This page needs JavaScript.</noscript>
    </div>`,
    scripts: ['/pages/copy.js'],
    modules: ['/sign-in/page.js'],
  });
