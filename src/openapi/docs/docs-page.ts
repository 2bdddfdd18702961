import { codeForm, html, page } from '../../pages/index.js';

/** The frame of the API explorer, which a script fills. `sdk`: where members have codes sent to them. */
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
      <p id="members-alone" hidden>The documents of this service are for its members. Sign in with a code by email:</p>
      ${codeForm({ sdk })}
      <details id="factors" class="group" hidden>
        <summary>Your second factors</summary>
        <p id="no-factors" hidden>You have none yet.</p>
        <ul id="factor-list" class="rows"></ul>
        <p id="remove-how" hidden>
          This page removes factors against a passkey. With an authenticator app alone, call
          <code>authMfaTotpDevice</code> with <code>createMfaToken</code>, then <code>deleteMfaDevice</code> with the
          <code>mfaToken</code> of its answer.
        </p>
        <div id="recovery" hidden>
          <p>Codes for the day on which your passkey is lost. Each works once, and they are shown only now.</p>
          <pre id="recovery-codes"></pre>
          <p><button type="button" id="codes-kept">I keep them safe</button></p>
        </div>
        <p class="actions">
          <button type="button" id="add-passkey" hidden>Add a passkey</button>
          <button type="button" id="prove" hidden>Prove that it is you</button>
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
        <noscript>The explorer needs JavaScript; the document itself is openapi.json.</noscript>
      </div>`,
    scripts: ['/docs/assets/swagger-ui-bundle.js'],
    modules: ['/docs/assets/docs.js'],
  });
