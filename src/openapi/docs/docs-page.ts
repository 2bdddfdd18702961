import { codeForm, html, page } from '../../pages/index.js';

/** The frame of the API explorer, which a script fills. `sdk`: where members have codes sent to them. */
export const docsPage = (sdk: string): string =>
  page({
    title: 'Gatehouse API',
    body: html`<link rel="stylesheet" href="/docs/assets/swagger-ui.css" />
      <link rel="stylesheet" href="/docs/assets/docs.css" />
      <p class="bar">
        <a href="/openapi.json">openapi.json</a> · <a href="/docs/errors">Errors</a> ·
        <span id="who" class="muted" role="status"></span>
        <button type="button" id="sign-in">Sign in</button>
        <button type="button" id="sign-out" hidden>Sign out</button>
      </p>
      ${codeForm({ sdk })}
      <div id="members-only" hidden>
        <p>
          The documents of this service are for its members. Sign in with a code by email, or with a personal token:
        </p>
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
