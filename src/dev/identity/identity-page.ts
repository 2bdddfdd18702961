import { html, page } from '../../pages/index.js';
import { DEVELOPMENT_ONLY, DEVELOPMENT_PAGE } from '../banner.js';
import { IDENTITY_PATH } from './development-identity.js';

export const identityPage = (carried: Readonly<Record<string, string>>): string =>
  page({
    title: 'Who are you?',
    banner: DEVELOPMENT_ONLY,
    body: html`<p>
        An identity provider for development. Type any name: nobody checks it, and the same name is the same account.
      </p>
      <form method="get" action="/${IDENTITY_PATH}/continue">
        ${Object.entries(carried).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <p>
          <label>Name <input name="name" required maxlength="100" autocomplete="off" autofocus /></label>
        </p>
        <p><button>Continue</button> <button name="error" value="access_denied" formnovalidate>Decline</button></p>
      </form>`,
  });

export const aboutIdentityPage = (): string =>
  page({
    title: 'Development identity provider',
    banner: DEVELOPMENT_PAGE,
    body: html`<p>
        An identity provider that needs no account: you are whoever you say you are. The quick-start sandbox uses it in
        place of GitHub; <a href="/dev/app">sign in with it</a>.
      </p>
      <p>
        To use it in another environment, set up a provider with the <code>clientId</code> <code>development</code> and
        any secret.
      </p>`,
  });
