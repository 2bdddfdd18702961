import { html } from '../../pages/index.js';

/** Adding credentials and merging accounts of the same person. */
export const linkingPart = html`<details id="linking" class="group">
  <summary>Other sign-in methods and accounts</summary>
  <form id="link-email" class="card">
    <p>
      <label for="link-address">Email</label>
      <input id="link-address" name="email" type="email" required />
      <button>Send a code</button>
    </p>
  </form>
  <form id="link-code" class="card" hidden>
    <p>
      <label for="link-code-field">Code</label>
      <input id="link-code-field" name="code" inputmode="numeric" pattern="[0-9]{6}" required autocomplete="off" />
      <button>Add the address</button>
    </p>
  </form>
  <p><button type="button" id="link-wallet" hidden>Add this browser's wallet</button></p>
  <p id="move" role="status"></p>
  <form id="merge" hidden>
    <p>This belongs to another account of yours. You can merge that account into this one.</p>
    <div id="merge-conflicts"></div>
    <p><button>Merge the accounts</button></p>
  </form>
  <p id="linked" class="good" role="status"></p>
</details>`;
