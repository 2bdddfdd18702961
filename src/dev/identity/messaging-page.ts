import { html, page } from '../../pages/index.js';
import { DEVELOPMENT_ONLY } from '../banner.js';
import { MESSAGING_PATH } from './imitated-messaging.js';

/** @param returnTo the page of the button, which the network sends the browser back to */
export const messagingPage = (returnTo: string): string =>
  page({
    title: 'An imitated messaging network',
    banner: DEVELOPMENT_ONLY,
    body: html`<p>
        This is not the messaging network but an imitation of it on your machine: any name will do, the same name is the
        same account, and nobody checks it. With a bot of your own in the settings of the environment, the button is
        that of the network.
      </p>
      <form method="get" action="/${MESSAGING_PATH}/continue">
        <input type="hidden" name="return_to" value="${returnTo}" />
        <p>
          <label>Name <input name="name" required maxlength="64" autocomplete="off" autofocus /></label>
        </p>
        <p><button>Log in</button></p>
      </form>`,
  });
