import { html } from '../pages/index.js';

export const DEVELOPMENT_ONLY = 'Development only: this page exists on this machine and never in production.';

/** The same with the way to the other pages, for those that are not shown in the middle of a sign-in. */
export const DEVELOPMENT_PAGE = html`${DEVELOPMENT_ONLY} <a href="/dev">All pages</a>`;
