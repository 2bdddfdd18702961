import { html, page } from '../pages/index.js';
import { DEVELOPMENT_ONLY } from './banner.js';
import type { Quickstart } from './quickstart.js';

export interface FrontPage {
  /** Where clients reach the service, without a trailing slash. */
  publicUrl: string;
  /** Null where no quick start was made. */
  quickstart: Quickstart | null;
  /** The file that has it, with its tokens. */
  quickstartFile: string;
  /** Where the figures are; null where there are none, or the system has chosen the port. */
  metricsUrl: string | null;
  isCounting: boolean;
}

interface Place {
  name: string;
  address: string;
  about: string;
}

/** What there is to look at, in the order in which people need it. */
function placesOf({ metricsUrl }: FrontPage): Place[] {
  return [
    {
      name: 'Documentation',
      address: '/docs',
      about: 'Every operation, to read and to call, with the tokens of the quick start.',
    },
    {
      name: 'Application',
      address: '/dev/app',
      about:
        'Every way to sign in that the sandbox has, second factors, wallets, shared keys, balances and transfers, to try.',
    },
    { name: 'Inbox', address: '/dev/inbox', about: 'Mails and text messages that were sent, with their codes.' },
    {
      name: 'Mails',
      address: '/dev/mails',
      about: 'Mails about accounts and keys, in each language, with samples.',
    },
    {
      name: 'Webhooks',
      address: '/dev/webhooks',
      about: 'What webhooks brought here, and whether it was signed well.',
    },
    { name: 'Identities', address: '/dev/identity', about: 'A provider of identities that needs no account anywhere.' },
    { name: 'Recipes', address: '/dev/recipes', about: 'Small whole programs for what most teams do first.' },
    { name: 'Document', address: '/openapi.json', about: 'The same operations for programs, in OpenAPI.' },
    { name: 'Errors', address: '/docs/errors', about: 'Each code of an error with its cause and what to do.' },
    {
      name: 'Health',
      address: '/readyz',
      about: 'Whether the service can take requests, and what it lacks where it cannot.',
    },
    ...(metricsUrl === null ? [] : [{ name: 'Metrics', address: metricsUrl, about: 'Figures for Prometheus.' }]),
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
          ${front.isCounting ? 'Figures are at a port that the system chose' : 'Nothing is counted'}: start with the
          number of a port in <code>METRICS_PORT</code> to have the link here.
        </p>`
      }
      ${
        front.quickstart &&
        html`<p>
          The sandbox of the quick start is <code>${front.quickstart.environments.sandbox.id}</code>. Its tokens are in
          <code>${front.quickstartFile}</code>.
        </p>`
      }
      <p class="muted">For language models and other programs: <a href="/llms.txt">llms.txt</a>.</p>`,
  });

/** The same for programs that read prose, in the form of https://llmstxt.org. */
export const llmsText = (front: FrontPage): string =>
  [
    '# Gatehouse',
    '',
    '> Self-hosted sign-in for the users of applications, embedded wallets, and the management of their environments.',
    '',
    `Operations are under ${front.publicUrl}/api/v0. Applications call /sdk/{environmentId}; servers send an API token as a bearer. Every error has a code, a hint and a page.`,
    '',
    ...(front.quickstart
      ? [
          `To try them, ${front.quickstartFile} on this machine has ids and tokens of a sandbox: "api", "environments.sandbox.id" and "environments.sandbox.apiToken" of its JSON.`,
          '',
        ]
      : []),
    '## Places',
    '',
    ...placesOf(front).map(
      ({ name, address, about }) => `- [${name}](${new URL(address, `${front.publicUrl}/`).href}): ${about}`,
    ),
    '',
  ].join('\n');
