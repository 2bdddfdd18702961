import { html, page } from '../../pages/index.js';
import { DEVELOPMENT_ONLY } from '../banner.js';
import { MESSAGING_PATH } from './imitated-messaging.js';

/** @param returnTo the page with the button, to which the network sends the browser back */
export const messagingPage = (returnTo: string): string =>
  page({
    title: 'An imitated messaging network',
    banner: DEVELOPMENT_ONLY,
    body: html`<p>
        This is not the messaging network but an imitation of it on your machine. Type any name: nobody checks it, and
        the same name is the same account. If you configure your own bot in the environment, you get the real network.
      </p>
      <form method="get" action="/${MESSAGING_PATH}/continue">
        <input type="hidden" name="return_to" value="${returnTo}" />
        <p>
          <label>Name <input name="name" required maxlength="64" autocomplete="off" autofocus /></label>
        </p>
        <p><button>Log in</button></p>
      </form>`,
  });
