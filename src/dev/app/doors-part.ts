import { html } from '../../pages/index.js';

/** A form for each sign-in method. A script of the same name shows those enabled in the sandbox. */
export const doorsPart = html`<section id="doors">
  <form id="email" class="card" hidden>
    <h2>Email</h2>
    <p>
      <label for="email-address">Address</label>
      <input id="email-address" name="email" type="email" required value="you@example.com" />
      <button>Send a code</button>
    </p>
  </form>
  <form id="sms" class="card" hidden>
    <h2>Text message</h2>
    <p>
      <label for="number">Number</label>
      <input id="number" name="number" type="tel" required placeholder="+41 79 000 00 00" />
      <button>Send a code</button>
    </p>
  </form>
  <form id="code" class="card highlighted" hidden>
    <p>
      <label for="first-code">Code</label>
      <input id="first-code" name="code" inputmode="numeric" pattern="[0-9]{6}" required autocomplete="off" />
      <button>Sign in</button> <span class="muted">Taken from <a href="/dev/inbox">the inbox</a>.</span>
    </p>
  </form>
  <div id="providers" hidden><h2>Account</h2></div>
  <div id="passkey" class="card" hidden>
    <h2>Passkey</h2>
    <p><button type="button">Sign in with a passkey</button></p>
  </div>
  <div id="wallet" class="card" hidden>
    <h2>Wallet</h2>
    <p><button type="button">Sign in with a wallet</button></p>
  </div>
  <div id="telegram" class="card" hidden>
    <h2>Messaging network</h2>
    <p>
      <a id="telegram-page" target="_blank" rel="noopener">Open the page with the login button</a>
      <button type="button" id="telegram-done" hidden>I have confirmed: sign in</button>
    </p>
    <p id="telegram-imitated" class="muted" hidden>
      The network is imitated on this machine. If you configure your own bot as provider, you get the real button.
    </p>
  </div>
  <form id="frame" class="card" hidden>
    <h2>Frame network</h2>
    <p>
      <label for="fid">Account number (FID)</label>
      <input id="fid" name="fid" inputmode="numeric" pattern="[1-9][0-9]{0,15}" required autocomplete="off" />
      <button>Sign in with its custody wallet</button>
    </p>
  </form>
  <form id="foreign" hidden>
    <h2>Token of your own identity provider</h2>
    <p class="muted">A JWT of <code id="issuer"></code>, issued in the last five minutes.</p>
    <label for="jwt">Token</label>
    <textarea id="jwt" name="jwt" rows="4" required spellcheck="false" autocomplete="off"></textarea>
    <p><button>Sign in with the token</button></p>
  </form>
</section>`;
