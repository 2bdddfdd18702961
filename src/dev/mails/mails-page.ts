import { html, page } from '../../pages/index.js';
import { DEVELOPMENT_PAGE } from '../banner.js';
import type { MailPreview } from './mail-previews.js';

const preview = ({ name, language, subject, text, html: markup }: MailPreview) =>
  html`<article lang="${language}">
    <h2>${subject}</h2>
    <p class="muted">${name}, ${language}</p>
    <pre>${text}</pre>
    <iframe class="mail" title="${name}, ${language}, as HTML" sandbox="" srcdoc="${markup}"></iframe>
  </article>`;

export const mailsPage = (previews: readonly MailPreview[]): string =>
  page({
    title: 'Mails',
    banner: DEVELOPMENT_PAGE,
    body: html`<p>
        Mails to users about their accounts and keys, with sample data, in each language, as text and as HTML, except
        wallet recovery codes. Mails that were actually sent are in <a href="/dev/inbox">the inbox</a>.
      </p>
      ${previews.map(preview)}`,
  });
