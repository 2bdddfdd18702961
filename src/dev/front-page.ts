import { html, page } from '../pages/index.js';
import { DEVELOPMENT_ONLY } from './banner.js';
import type { Quickstart } from './quickstart.js';

export interface FrontPage {
  /** PUBLIC_URL without a trailing slash. */
  publicUrl: string;
  /** Null if there is no quick-start data. */
  quickstart: Quickstart | null;
  /** The path of its file, which contains the tokens. */
  quickstartFile: string;
  /** Null if there are no metrics or the system chose their port. */
  metricsUrl: string | null;
  isCounting: boolean;
}

interface Place {
  name: string;
  address: string;
  about: string;
}

/** The pages, in the order in which people need them. */
function placesOf({ metricsUrl }: FrontPage): Place[] {
  return [
    {
      name: 'Documentation',
      address: '/docs',
      about: 'Every operation, to read and to try with the quick-start tokens.',
    },
    {
      name: 'Application',
      address: '/dev/app',
      about: 'Try every sign-in method of the sandbox, second factors, wallets, shared keys, balances and transfers.',
    },
    { name: 'Inbox', address: '/dev/inbox', about: 'Emails and text messages that were sent, with their codes.' },
    {
      name: 'Mails',
      address: '/dev/mails',
      about: 'Previews of mails about accounts and keys, in each language.',
    },
    {
      name: 'Webhooks',
      address: '/dev/webhooks',
      about: 'Received webhook messages, and whether their signatures are valid.',
    },
    {
      name: 'Identities',
      address: '/dev/identity',
      about: 'An identity provider for development that needs no account.',
    },
    { name: 'Recipes', address: '/dev/recipes', about: 'Small complete programs for what most teams do first.' },
    { name: 'Document', address: '/openapi.json', about: 'The OpenAPI document of all operations.' },
    { name: 'Errors', address: '/docs/errors', about: 'Every error code, with its cause and fix.' },
    {
      name: 'Health',
      address: '/readyz',
      about: 'Whether the service is ready for requests, and if not, why.',
    },
    ...(metricsUrl === null ? [] : [{ name: 'Metrics', address: metricsUrl, about: 'Metrics for Prometheus.' }]),
  ];
}

const place = ({ name, address, about }: Place) =>
  html`<dt><a href="${address}">${name}</a></dt>
    <dd>${about}</dd>`;

export const frontPage = (front: FrontPage): string =>
  page({
    title: 'Gatehouse in development',
    banner: DEVELOPMENT_ONLY,
    body: html`<dl>${placesOf(front).map(place)}</dl>
      ${
        front.metricsUrl === null &&
        html`<p class="muted">
          ${front.isCounting ? 'Metrics are on a port chosen by the system' : 'Metrics are off'}: set
          <code>METRICS_PORT</code> to a fixed port to get a link here.
        </p>`
      }
      ${
        front.quickstart &&
        html`<p>
          The quick-start sandbox is <code>${front.quickstart.environments.sandbox.id}</code>. Its tokens are in
          <code>${front.quickstartFile}</code>.
        </p>`
      }
      <p class="muted">For language models and other programs: <a href="/llms.txt">llms.txt</a>.</p>`,
  });

/** The same for language models, in the format of https://llmstxt.org. */
export const llmsText = (front: FrontPage): string =>
  [
    '# Gatehouse',
    '',
    '> Self-hosted sign-in for application users, embedded wallets and environment management.',
    '',
    `Operations are under ${front.publicUrl}/api/v0. Applications call /sdk/{environmentId}; servers send an API token as bearer token. Every error has a code, a hint and a page.`,
    '',
    ...(front.quickstart
      ? [
          `To try them, use the sandbox in ${front.quickstartFile} on this machine: "api", "environments.sandbox.id" and "environments.sandbox.apiToken" in its JSON.`,
          '',
        ]
      : []),
    '## Pages',
    '',
    ...placesOf(front).map(
      ({ name, address, about }) => `- [${name}](${new URL(address, `${front.publicUrl}/`).href}): ${about}`,
    ),
    '',
  ].join('\n');
