import { html, type Html } from '../../pages/index.js';

/** A sentence with `code` in backticks, as the definitions of errors write it. */
export const richText = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
