import { html, page } from '../../../pages/index.js';
import type { TelegramBot } from '../../../providers/index.js';

/** @param returnUrl where the widget sends the browser with the signed login */
export const buttonPage = ({ name, widget }: TelegramBot, returnUrl: string): string =>
  page({
    title: 'Sign in',
    body: html`<p>Continue with your account at the messaging network.</p>
      <script
        async
        src="${widget}"
        data-telegram-login="${name}"
        data-size="large"
        data-auth-url="${returnUrl}"
      ></script>`,
  });

export const signedPage = (): string =>
  page({ title: 'Sign in', body: html`<p>Confirmed. You can close this window and continue.</p>` });
