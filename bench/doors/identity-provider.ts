import { createPrivateKey, sign } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contentOf, type CodeContent } from './provider-code.js';

export interface ProviderSetup {
  /** PKCS #8 PEM of an RSA key. */
  readonly privateKey: string;
  /** The public half of the same key. */
  readonly jwk: object;
  readonly clientId: string;
}

const LIFE_SECONDS = 3600;

/** An OpenID Connect provider that accepts every code; in a separate process, so that it costs neither server time. */
process.once('message', (setup: ProviderSetup) => {
  const key = createPrivateKey(setup.privateKey);
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = encode({ alg: 'RS256', typ: 'JWT', kid: 'bench' });
  let issuer = '';

  const idToken = ({ sub, nonce }: CodeContent): string => {
    const iat = Math.floor(Date.now() / 1000);
    const person = { sub, nonce, email: `${sub}@gmail.com`, email_verified: true, name: 'Ada Lovelace' };
    const text = `${header}.${encode({ iss: issuer, aud: setup.clientId, iat, exp: iat + LIFE_SECONDS, ...person })}`;
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
  };
  const answerTo = async (request: IncomingMessage): Promise<object> => {
    if (request.url === '/jwks') return { keys: [{ ...setup.jwk, kid: 'bench', alg: 'RS256', use: 'sig' }] };
    if (request.url !== '/token') return configuration(issuer);
    const form = new URLSearchParams(await bodyOf(request));
    const content = contentOf(form.get('code') ?? '');
    const token = { access_token: `at-${content.nonce}`, token_type: 'Bearer', expires_in: LIFE_SECONDS };
    return { ...token, id_token: idToken(content) };
  };

  const server = createServer((request, response) => {
    answerTo(request).then(
      (answer) => response.setHeader('content-type', 'application/json').end(JSON.stringify(answer)),
      () => response.writeHead(400).end(),
    );
  });
  server.listen(0, '127.0.0.1', () => {
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    process.send?.({ result: { issuer } });
  });
});
process.on('disconnect', () => process.exit(0));

const configuration = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  id_token_signing_alg_values_supported: ['RS256'],
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
