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

/** What wallets have, and what a transfer would do. */
export const chainPart = html`<details id="money" class="group">
  <summary>Balances and transfers</summary>
  <p id="chain-none" hidden>The sandbox has enabled no network of EVM.</p>
  <form id="chain">
    <label for="network">Network</label>
    <select id="network" name="network" required></select>
    <label for="account">Account</label>
    <input id="account" name="address" required autocomplete="off" spellcheck="false" />
    <p><button name="action" value="balances" formnovalidate>Show balances</button></p>
    <table>
      <tbody id="balances"></tbody>
    </table>
    <label for="to">Send to</label>
    <input id="to" name="to" autocomplete="off" spellcheck="false" required />
    <label for="amount">Amount, in the currency of the network</label>
    <input id="amount" name="amount" inputmode="decimal" value="0.1" required />
    <p><button name="action" value="simulate">See what a transfer would do</button></p>
    <dl id="simulated"></dl>
    <label for="nonce">Transactions that the account has sent so far</label>
    <input id="nonce" name="nonce" inputmode="numeric" value="0" required />
    <label for="fee">Most to pay for each unit of gas, in gwei</label>
    <input id="fee" name="fee" inputmode="decimal" value="20" required />
    <p><button name="action" value="sign">Sign the transfer</button></p>
    <p class="muted">It is signed and not sent: give it to a node by <code>eth_sendRawTransaction</code>.</p>
    <pre id="signed" class="long"></pre>
  </form>
</details>`;
