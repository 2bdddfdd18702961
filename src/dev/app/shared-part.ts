import { html } from '../../pages/index.js';

/** Wallets whose key is shared between this page and the service. */
export const sharedPart = html`<details id="shared" class="group">
  <summary>Wallets with shared keys</summary>
  <p class="muted">
    This page and the service generate the key in shares, which are never combined. The shares of this page stay in this
    browser.
  </p>
  <form id="shared-create">
    <p>
      <label for="shared-scheme">Signatures require</label>
      <select id="shared-scheme" name="scheme">
        <option value="TWO_OF_TWO">2 of 2 shares</option>
        <option value="TWO_OF_THREE">2 of 3 shares</option>
        <option value="THREE_OF_FIVE">3 of 5 shares</option>
      </select>
      <button>Create a wallet on Solana</button>
    </p>
  </form>
  <p>
    <label for="shared-password">Backup password</label>
    <input id="shared-password" type="password" autocomplete="off" />
  </p>
  <ul id="shared-list" class="rows"></ul>
  <div id="shared-result" role="status"></div>
</details>`;
