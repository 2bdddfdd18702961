import { fail, ok, warn, type Finding } from '../finding.js';

/** An answer of the service to `GET /healthz`. */
export interface HealthAnswer {
  status: number;
  /** The name the service was asked by; null when the answer is not one of ours. */
  host: string | null;
}

export interface PublicUrlInput {
  publicUrl: string;
  /** Whether it was set; in development it follows from PORT. */
  isSet: boolean;
  isProduction: boolean;
  /** Whether the service answers on this machine. */
  running: boolean;
  /** Asks under the public address; a text says why there was no answer. */
  ask: (url: string) => Promise<HealthAnswer | string>;
}

/** Links and tokens carry the public address, so it must lead here, under the name the service sees. */
export async function checkPublicUrl(input: PublicUrlInput): Promise<Finding> {
  const { publicUrl, isSet, isProduction, running, ask } = input;
  if (isProduction && !isSet) {
    return fail(
      `PUBLIC_URL is missing: tokens and links would name ${publicUrl}`,
      'set PUBLIC_URL to the address that clients use',
    );
  }
  const answer = await ask(`${publicUrl}/healthz`);
  if (typeof answer === 'string') {
    return running
      ? fail(
          `${publicUrl} is out of reach from here (${answer})`,
          'check PUBLIC_URL, its DNS name, the proxy and the certificate',
        )
      : warn('the service does not run', 'npm start');
  }
  const { status, host } = answer;
  if (status !== 200 || host === null) {
    return fail(`${publicUrl} answers, but not as this service (status ${status})`, 'check PUBLIC_URL and the proxy');
  }
  const expected = new URL(publicUrl).host;
  return host === expected
    ? ok(`${publicUrl} leads here`)
    : warn(
        `asked for ${expected}, the service sees ${host}`,
        'let the proxy pass the Host header on, and name it in TRUST_PROXY',
      );
}
