import { html, page } from '../../pages/index.js';
import { DEVELOPMENT_ONLY, DEVELOPMENT_PAGE } from '../banner.js';
import { IDENTITY_PATH } from './development-identity.js';

export const identityPage = (carried: Readonly<Record<string, string>>): string =>
  page({
    title: 'Who are you?',
    banner: DEVELOPMENT_ONLY,
    body: html`<p>
        A provider of identities for development. Type any name; the same name is the same account, and nobody checks
        it.
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
    title: 'Identities for development',
    banner: DEVELOPMENT_PAGE,
    body: html`<p>
        A provider of identities that needs no account anywhere: whoever types a name is that name. The sandbox of the
        quick start has it in the place of GitHub; <a href="/dev/app">sign in with it</a>.
      </p>
      <p>
        Another environment has it with a provider whose <code>clientId</code> is <code>development</code>, with any
        secret.
      </p>`,
  });
