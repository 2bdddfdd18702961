import { html } from '../../pages/index.js';

/** The second factor that must be given before anything else. */
export const secondPart = html`<div id="second" hidden>
  <p>This account has a second factor. Until you give it, the session cannot be used for anything else.</p>
  <form id="second-totp" class="card" hidden>
    <p>
      <label for="totp-code">Code from your authenticator</label>
      <input id="totp-code" name="code" inputmode="numeric" pattern="[0-9]{6}" required autocomplete="one-time-code" />
      <button>Continue</button>
    </p>
  </form>
  <p id="second-passkey" hidden><button type="button">Use a passkey</button></p>
  <form id="second-email" class="card" hidden>
    <p>
      <button type="button" id="second-send">Send a code by email</button>
      <label for="mailed-code">Code</label>
      <input id="mailed-code" name="code" inputmode="numeric" pattern="[0-9]{6}" required autocomplete="off" />
      <button>Use this code</button>
    </p>
  </form>
  <form id="second-recovery" class="card" hidden>
    <p>
      <label for="recovery-code">Recovery code</label>
      <input id="recovery-code" name="code" required autocomplete="off" />
      <button>Use this recovery code</button>
    </p>
  </form>
</div>`;

/** The second factors of the signed-in user. */
export const factorsPart = html`<details id="factors" class="group" hidden>
  <summary>Second factors</summary>
  <p id="no-devices">You have none yet.</p>
  <ul id="devices" class="rows"></ul>
  <p id="remove" class="card" hidden>
    <label for="remove-code">Code from your authenticator</label>
    <input id="remove-code" inputmode="numeric" autocomplete="off" />
  </p>
  <p class="actions">
    <button type="button" id="totp-begin">Add an authenticator app</button>
    <button type="button" id="factor-passkey">Add a passkey as a factor</button>
  </p>
  <form id="totp-new" class="card" hidden>
    <p>
      Enter this secret in the app, or <a id="totp-uri">open it there</a>:
      <code id="totp-secret"></code>
    </p>
    <p>
      <label for="new-code">Code shown by the app</label>
      <input id="new-code" name="code" inputmode="numeric" pattern="[0-9]{6}" required autocomplete="off" />
      <button>Add</button>
    </p>
  </form>
  <div id="recovery" hidden>
    <p class="actions">
      <button type="button" id="recovery-show">Show recovery codes</button>
      <button type="button" id="recovery-new">Replace them</button>
    </p>
    <pre id="recovery-codes" hidden></pre>
  </div>
</details>`;
