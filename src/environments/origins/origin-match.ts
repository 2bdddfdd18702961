/**
 * Suffixes below which strangers get names of their own, so that a wildcard under them would admit anyone: country
 * registries with a second level, and hosting that gives out subdomains. A short list on purpose: single labels such
 * as `com` are refused by their form.
 */
const SHARED_SUFFIXES = new Set([
  ...['co.uk', 'org.uk', 'me.uk', 'com.au', 'net.au', 'co.nz', 'co.jp', 'com.br', 'co.in', 'co.kr', 'co.za', 'com.cn'],
  ...['com.mx', 'com.tr', 'com.sg', 'com.hk', 'com.tw', 'com.ar', 'com.ua', 'co.il', 'eu.org', 'uk.com', 'us.com'],
  ...['vercel.app', 'now.sh', 'netlify.app', 'pages.dev', 'workers.dev', 'web.app', 'firebaseapp.com', 'appspot.com'],
  ...['github.io', 'github.dev', 'gitlab.io', 'bitbucket.io', 'herokuapp.com', 'onrender.com', 'fly.dev', 'surge.sh'],
  ...['azurewebsites.net', 'azurestaticapps.net', 'cloudfront.net', 'amazonaws.com', 'amplifyapp.com', 'run.app'],
  ...['ngrok.io', 'ngrok.app', 'ngrok.dev', 'ngrok-free.app', 'ngrok-free.dev', 'trycloudflare.com', 'loca.lt'],
  ...[
    'replit.app',
    'replit.dev',
    'repl.co',
    'glitch.me',
    'stackblitz.io',
    'webcontainer.io',
    'codesandbox.io',
    'csb.app',
  ],
  ...[
    'deno.dev',
    'render.com',
    'railway.app',
    'up.railway.app',
    'lovable.app',
    'framer.app',
    'webflow.io',
    'blogspot.com',
  ],
]);

const WILDCARD = /^https:\/\/\*\.([^*]+)$/;
const EXTENSION = /^(?:chrome|moz|safari-web)-extension:\/\/[a-z0-9-]+$/i;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** True for a wildcard host that one owner controls: `https://*.` and at least two labels that are no shared suffix. */
export function isWildcardOrigin(pattern: string): boolean {
  const suffix = WILDCARD.exec(pattern)?.[1];
  const url = suffix === undefined ? null : parseWebOrigin(`https://${suffix}`);
  if (!url) return false;
  const labels = url.hostname.split('.');
  const isAddress = /^\d+$/.test(labels.at(-1) ?? '');
  return (
    labels.length >= 2 && labels.every((label) => LABEL.test(label)) && !isAddress && !SHARED_SUFFIXES.has(url.hostname)
  );
}

/**
 * Whether an `Origin` header names a site that the pattern admits: the same scheme, host and port, or, where the
 * pattern's host is a wildcard, any one label in its place. The text must be an origin as browsers write it
 * (RFC 6454 §6.2); `null`, paths, credentials and upper case are none. Plain http is for localhost alone.
 */
export function matchesOrigin(pattern: string, origin: string): boolean {
  if (EXTENSION.test(origin)) return pattern === origin;
  const url = origin.includes('*') ? null : parseWebOrigin(origin);
  if (!url || (url.protocol === 'http:' && !isLocalhost(url.hostname))) return false;
  if (pattern === origin) return true;
  if (!isWildcardOrigin(pattern)) return false;
  const [label = '', ...rest] = url.host.split('.');
  return LABEL.test(label) && `${url.protocol}//*.${rest.join('.')}` === pattern;
}

const isLocalhost = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1' || hostname === '[::1]';

/** The parsed form of an http or https origin that is written exactly as browsers write it, else null. */
function parseWebOrigin(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.origin === text ? url : null;
}
