import { html } from '../pages/index.js';

export const DEVELOPMENT_ONLY = 'Development only: this page is available on this machine, never in production.';

/** The same with a link to the other pages, for pages that are not part of a sign-in. */
export const DEVELOPMENT_PAGE = html`${DEVELOPMENT_ONLY} <a href="/dev">All pages</a>`;
