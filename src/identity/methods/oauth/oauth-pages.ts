import { html, page } from '../../../pages/index.js';

export const leavePage = (address: string): string =>
  page({ title: 'Sign in', body: html`<p><a href="${address}" rel="noreferrer">Continue to the provider</a></p>` });

export const returnPage = (): string =>
  page({ title: 'Sign in', body: html`<p>The provider has responded. You can close this window and continue.</p>` });
