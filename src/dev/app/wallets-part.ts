import { html } from '../../pages/index.js';

/** Embedded wallets of the signed-in user. */
export const walletsPart = html`<details id="wallets" class="group">
  <summary>Embedded wallets</summary>
  <p><button type="button" id="create-wallets">Create wallets on EVM and Solana</button></p>
  <ul id="wallet-list" class="rows"></ul>
  <div id="wallet-result" role="status"></div>
  <form id="import">
    <h2>Import a private key</h2>
    <p class="muted">It is encrypted on this page and decrypted only where the service keeps its keys.</p>
    <label for="import-chain">Chain</label>
    <select id="import-chain" name="chain">
      <option value="EVM">EVM</option>
      <option value="SOL">Solana</option>
      <option value="SUI">Sui</option>
      <option value="BTC">Bitcoin</option>
    </select>
    <label for="import-address">Address</label>
    <input id="import-address" name="address" required autocomplete="off" spellcheck="false" />
    <label for="import-key">Private key (hexadecimal)</label>
    <input id="import-key" name="key" required autocomplete="off" spellcheck="false" />
    <p><button>Import</button></p>
  </form>
</details>`;

/** Wallet balances, and simulated and signed transfers. */
export const chainPart = html`<details id="money" class="group">
  <summary>Balances and transfers</summary>
  <p id="chain-none" hidden>The sandbox has no EVM network enabled.</p>
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
    <label for="amount">Amount, in the network's native currency</label>
    <input id="amount" name="amount" inputmode="decimal" value="0.1" required />
    <p><button name="action" value="simulate">Simulate the transfer</button></p>
    <dl id="simulated"></dl>
    <label for="nonce">Nonce (number of transactions sent by the account)</label>
    <input id="nonce" name="nonce" inputmode="numeric" value="0" required />
    <label for="fee">Maximum fee per gas, in gwei</label>
    <input id="fee" name="fee" inputmode="decimal" value="20" required />
    <p><button name="action" value="sign">Sign the transfer</button></p>
    <p class="muted">
      The transaction is signed but not sent: submit it to a node with <code>eth_sendRawTransaction</code>.
    </p>
    <pre id="signed" class="long"></pre>
  </form>
</details>`;
