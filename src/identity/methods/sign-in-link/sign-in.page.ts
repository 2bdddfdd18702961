import { html, page } from '../../../pages/index.js';

/** The path of sign-in links. */
export const SIGN_IN_PATH = 'sign-in';

interface SignInPage {
  /** Whether the service serves the API explorer, where a member continues. */
  docs: boolean;
  /** The base URL of the API, as configured. */
  api: string;
}

/**
 * The page of a sign-in link. Nothing happens before the button is pressed, so that link scanners of mail and chat
 * programs do not use up the link.
 */
export const signInPage = ({ docs, api }: SignInPage): string =>
  page({
    title: 'Sign in',
    body: html`<div id="sign-in" data-docs="${docs}">
      <p id="said" role="status">This link signs you in. It works once.</p>
      <p><button type="button" id="go">Sign in</button></p>
      <div id="in" hidden>
        <p>You can call the API with the token of your session, for example to create a personal token:</p>
        <pre><code id="token"></code></pre>
        <p><button type="button" data-copy="">Copy the token</button></p>
        <pre>
curl -X POST ${api}/user/tokens \\
  -H 'Authorization: Bearer …' -H 'Content-Type: application/json' \\
  -d '{ "note": "My scripts" }'</pre>
        <p>The API explorer is disabled here; <code>API_DOCS=true</code> enables it for members.</p>
      </div>
      <noscript>This page needs JavaScript.</noscript>
    </div>`,
    scripts: ['/pages/copy.js'],
    modules: ['/sign-in/page.js'],
  });
