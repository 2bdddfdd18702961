import { html } from '../../pages/index.js';

/** Embedded wallets of whoever is signed in. */
export const walletsPart = html`<details id="wallets" class="group">
  <summary>Embedded wallets</summary>
  <p><button type="button" id="create-wallets">Create wallets on EVM and Solana</button></p>
  <ul id="wallet-list" class="rows"></ul>
  <div id="wallet-result" role="status"></div>
  <form id="import">
    <h2>Bring a private key</h2>
    <p class="muted">It is sealed in this page, and the service opens it where keys are kept.</p>
    <label for="import-chain">Chain</label>
    <select id="import-chain" name="chain">
      <option value="EVM">EVM</option>
      <option value="SOL">Solana</option>
      <option value="SUI">Sui</option>
      <option value="BTC">Bitcoin</option>
    </select>
    <label for="import-address">Address</label>
    <input id="import-address" name="address" required autocomplete="off" spellcheck="false" />
    <label for="import-key">Private key, in hexadecimal digits</label>
    <input id="import-key" name="key" required autocomplete="off" spellcheck="false" />
    <p><button>Import</button></p>
  </form>
</details>`;
