import { fail, ok, warn, type Finding } from '../finding.js';

/** A response to `GET /healthz`. */
export interface HealthAnswer {
  status: number;
  /** The Host that the service saw; null if the response is not from this service. */
  host: string | null;
}

export interface PublicUrlInput {
  publicUrl: string;
  /** Whether it was set; in development it is derived from PORT. */
  isSet: boolean;
  isProduction: boolean;
  /** Whether the service responds on this machine. */
  running: boolean;
  /** Sends a request to the public URL; a string says why there was no response. */
  ask: (url: string) => Promise<HealthAnswer | string>;
}

/** Links and tokens contain the public URL, so it must lead here, and the proxy must pass its host name on. */
export async function checkPublicUrl(input: PublicUrlInput): Promise<Finding> {
  const { publicUrl, isSet, isProduction, running, ask } = input;
  if (isProduction && !isSet) {
    return fail(
      `PUBLIC_URL is missing: tokens and links would contain ${publicUrl}`,
      'set PUBLIC_URL to the address clients use',
    );
  }
  const answer = await ask(`${publicUrl}/healthz`);
  if (typeof answer === 'string') {
    return running
      ? fail(
          `${publicUrl} cannot be reached from here (${answer})`,
          'check PUBLIC_URL, its DNS name, the proxy and the certificate',
        )
      : warn('the service is not running', 'npm start');
  }
  const { status, host } = answer;
  if (status !== 200 || host === null) {
    return fail(`${publicUrl} responds, but not as this service (status ${status})`, 'check PUBLIC_URL and the proxy');
  }
  const { host: expected, pathname } = new URL(publicUrl);
  if (pathname !== '/') {
    return warn(
      `${publicUrl} has a path: its API works there, but pages, such as those of links in mails and /docs, do not`,
      'give the service a host name of its own',
    );
  }
  return host === expected
    ? ok(`${publicUrl} leads here`)
    : warn(
        `the request was for ${expected}, but the service sees ${host}`,
        'make the proxy forward the Host header, and list the proxy in TRUST_PROXY',
      );
}
