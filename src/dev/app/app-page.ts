import { html, page } from '../../pages/index.js';
import { DEVELOPMENT_ONLY } from '../banner.js';

export const APP_PATH = 'dev/app';

/** @param sdk where the client-facing operations of the sandbox are */
export const appPage = (sdk: string): string =>
  page({
    title: 'Try signing in',
    banner: DEVELOPMENT_ONLY,
    scripts: [`/${APP_PATH}/app.js`],
    body: html`<div id="app" data-sdk="${sdk}">
      <p>Everything here goes to the sandbox of the quick start, by the operations that applications call.</p>
      <p id="problem" class="bad" role="alert" hidden></p>
      <section id="doors">
        <form id="email">
          <h2>Email</h2>
          <p>
            <label>Address <input name="email" type="email" required value="you@example.com" /></label>
            <button>Send a code</button>
          </p>
        </form>
        <form id="email-code" hidden>
          <p>
            <label>Code <input name="code" inputmode="numeric" pattern="[0-9]{6}" required autocomplete="off" /></label>
            <button>Sign in</button> <span class="muted">It was read from <a href="/dev/inbox">the inbox</a>.</span>
          </p>
        </form>
        <form id="sms" hidden>
          <h2>Text message</h2>
          <p>
            <label>Number <input name="number" type="tel" required placeholder="+41 79 000 00 00" /></label>
            <button>Send a code</button>
          </p>
        </form>
        <div id="providers" hidden><h2>Account</h2></div>
        <div id="passkey" hidden>
          <h2>Passkey</h2>
          <p><button type="button">Sign in with a passkey</button></p>
        </div>
        <div id="wallet" hidden>
          <h2>Wallet</h2>
          <p><button type="button">Sign in with a wallet</button></p>
        </div>
      </section>
      <section id="session" hidden>
        <h2 id="who"></h2>
        <p>
          <button type="button" id="leave">Sign out</button>
          <button type="button" id="add-passkey" hidden>Add a passkey</button>
          <span id="added" class="good" role="status"></span>
        </p>
        <h2>Scopes</h2>
        <p id="scopes"></p>
        <h2>User</h2>
        <pre id="user"></pre>
        <h2>Tokens</h2>
        <pre id="tokens"></pre>
        <h2>Webhooks that followed</h2>
        <pre id="webhooks">Waiting for the first one…</pre>
      </section>
    </div>`,
  });

export const noAppPage = (): string =>
  page({
    title: 'Try signing in',
    banner: DEVELOPMENT_ONLY,
    body: html`<p>
      There is no quick start here, so there is no sandbox to sign in to. Start with <code>SEED=true</code>.
    </p>`,
  });
