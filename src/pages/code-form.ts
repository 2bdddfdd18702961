import { html, type Html } from './html.js';

interface CodeForm {
  /** The environment's operations for its users, such as `/api/v0/sdk/<id>`. */
  sdk: string;
  /** The address that signs in; without it the person types one. */
  email?: string;
}

/** Asks for an address, then for the code that was sent to it, or leads to the provider of its organization. `member.js` brings it to life. */
export const codeForm = ({ sdk, email }: CodeForm): Html =>
  html`<form id="code-form" class="card" data-sdk="${sdk}" hidden>
    <p data-step="address">
      <label for="email">Email</label>
      ${
        email === undefined
          ? html`<input id="email" name="email" type="email" autocomplete="email" required />`
          : html`<input id="email" name="email" type="email" value="${email}" readonly />`
      }
      <button type="submit">Send a code</button>
    </p>
    <p data-step="code" hidden>
      <label for="code">Code</label>
      <input
        id="code"
        name="code"
        inputmode="numeric"
        autocomplete="one-time-code"
        pattern="[0-9]{6}"
        maxlength="6"
        title="six digits"
      />
      <button type="submit">Sign in</button>
      <button type="button" data-again>Another code</button>
    </p>
    <p data-step="elsewhere" hidden>
      <a data-elsewhere target="_blank" rel="noopener">Sign in at your organization</a>
      <button type="submit">Send a code instead</button>
    </p>
    <p data-step="second" hidden>
      <label for="second">Code of your authenticator, or a recovery code</label>
      <input id="second" name="second" autocomplete="one-time-code" maxlength="40" />
      <button type="submit">Continue</button>
      <button type="button" data-passkey hidden>Use a passkey</button>
    </p>
    <p role="status"></p>
  </form>`;
