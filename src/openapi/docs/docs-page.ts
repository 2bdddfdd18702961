import { codeForm, html, page } from '../../pages/index.js';

/** The frame of the API explorer, filled in by a script. @param sdk the path of the operations for console users */
export const docsPage = (sdk: string): string =>
  page({
    title: 'Gatehouse API',
    body: html`<link rel="stylesheet" href="/docs/assets/swagger-ui.css" />
      <link rel="stylesheet" href="/docs/assets/docs.css" />
      <p class="bar">
        <a href="/openapi.json">openapi.json</a> · <a href="/docs/errors">Errors</a> ·
        <span id="dev" hidden><a href="/dev">Development pages</a> ·</span>
        <span id="who" class="muted" role="status"></span>
        <button type="button" id="sign-in">Sign in</button>
        <button type="button" id="sign-out" hidden>Sign out</button>
      </p>
      <p id="members-alone" hidden>
        The API documentation of this service is for its members. Sign in with a code sent by email:
      </p>
      ${codeForm({ sdk })}
      <details id="factors" class="group" hidden>
        <summary>Your second factors</summary>
        <p id="no-factors" hidden>You have none yet.</p>
        <ul id="factor-list" class="rows"></ul>
        <p id="remove-how" hidden>
          To remove factors on this page, you need a passkey. If you only have an authenticator app, call
          <code>authMfaTotpDevice</code> with <code>createMfaToken</code>, then <code>deleteMfaDevice</code> with the
          <code>mfaToken</code> from its response.
        </p>
        <div id="recovery" hidden>
          <p>Recovery codes in case you lose your passkey. Each works once, and they are shown only now.</p>
          <pre id="recovery-codes"></pre>
          <p><button type="button" id="codes-kept">I have saved them</button></p>
        </div>
        <p class="actions">
          <button type="button" id="add-passkey" hidden>Add a passkey</button>
          <button type="button" id="prove" hidden>Verify your identity</button>
        </p>
        <p id="factors-said" role="status"></p>
      </details>
      <div id="members-only" hidden>
        <p>Or with a personal token:</p>
        <form id="token-form" class="card">
          <p>
            <label for="token">Personal token</label>
            <input id="token" name="token" type="password" autocomplete="off" required />
            <button type="submit">Use it</button>
          </p>
        </form>
      </div>
      <div id="explorer">
        <p class="muted">Loading. If this does not go away, reload the page.</p>
        <noscript>The explorer needs JavaScript; the document itself is openapi.json.</noscript>
      </div>`,
    scripts: ['/docs/assets/swagger-ui-bundle.js'],
    modules: ['/docs/assets/docs.js'],
  });
