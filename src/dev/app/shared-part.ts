import { html } from '../../pages/index.js';

/** Wallets whose key this page and the service share. */
export const sharedPart = html`<details id="shared" class="group">
  <summary>Wallets with shared keys</summary>
  <p class="muted">
    The key is made in shares by this page and the service, and is never put together. The shares of this page stay in
    this browser.
  </p>
  <form id="shared-create">
    <p>
      <label for="shared-scheme">Signatures take</label>
      <select id="shared-scheme" name="scheme">
        <option value="TWO_OF_TWO">2 of 2 shares</option>
        <option value="TWO_OF_THREE">2 of 3 shares</option>
        <option value="THREE_OF_FIVE">3 of 5 shares</option>
      </select>
      <button>Create a wallet on Solana</button>
    </p>
  </form>
  <p>
    <label for="shared-password">Password of the backup</label>
    <input id="shared-password" type="password" autocomplete="off" />
  </p>
  <ul id="shared-list" class="rows"></ul>
  <div id="shared-result" role="status"></div>
</details>`;
