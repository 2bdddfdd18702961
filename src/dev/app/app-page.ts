import { html, page } from '../../pages/index.js';
import { DEVELOPMENT_PAGE } from '../banner.js';
import { doorsPart } from './doors-part.js';
import { factorsPart, secondPart } from './factors-part.js';
import { linkingPart } from './linking-part.js';
import { sharedPart } from './shared-part.js';
import { chainPart, walletsPart } from './wallets-part.js';

export const APP_PATH = 'dev/app';

/** @param sdk the path of the sandbox's client operations */
export const appPage = (sdk: string): string =>
  page({
    title: 'Try signing in',
    banner: DEVELOPMENT_PAGE,
    modules: [`/${APP_PATH}/app.js`],
    body: html`<div id="app" data-sdk="${sdk}">
      <p>Everything here uses the quick-start sandbox, through the same operations that applications call.</p>
      <p id="problem" class="bad notice" role="alert" hidden></p>
      ${doorsPart}
      <section id="session" hidden>
        <h2 id="who"></h2>
        ${secondPart}
        <p>
          <button type="button" id="leave">Sign out</button>
          <button type="button" id="add-passkey" hidden>Add a passkey</button>
          <span id="added" class="good" role="status"></span>
        </p>
        ${factorsPart}
        <div id="inside">${linkingPart} ${walletsPart} ${sharedPart} ${chainPart}</div>
        <h2>Scopes</h2>
        <p id="scopes"></p>
        <h2>User</h2>
        <pre id="user" class="long"></pre>
        <h2>Tokens</h2>
        <pre id="tokens" class="long"></pre>
        <h2>Resulting webhooks</h2>
        <pre id="webhooks" class="long">Waiting for the first one…</pre>
      </section>
    </div>`,
  });

export const noAppPage = (): string =>
  page({
    title: 'Try signing in',
    banner: DEVELOPMENT_PAGE,
    body: html`<p>
      There is no quick-start data here, so there is no sandbox to sign in to. The next start creates it if
      <code>SEED</code> is <code>true</code>, the default in development.
    </p>`,
  });
