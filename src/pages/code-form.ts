import { html, type Html } from './html.js';

interface CodeForm {
  /** The path of the environment's client operations, such as `/api/v0/sdk/<id>`. */
  sdk: string;
  /** The address that signs in; without it the user types one. */
  email?: string;
}

/** The sign-in form: an email address, then a code or the single sign-on of its organization. Driven by `member.js`. */
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
      <button type="button" data-again>Start over</button>
    </p>
    <p data-step="elsewhere" hidden>
      <a data-elsewhere target="_blank" rel="noopener">Sign in with your organization</a>
      <button type="submit">Send a code instead</button>
    </p>
    <p data-step="second" hidden>
      <label for="second">Code from your authenticator, or a recovery code</label>
      <input id="second" name="second" autocomplete="one-time-code" maxlength="40" />
      <button type="submit">Continue</button>
      <button type="button" data-passkey hidden>Use a passkey</button>
    </p>
    <p role="status"></p>
  </form>`;
