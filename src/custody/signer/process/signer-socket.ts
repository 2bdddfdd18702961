import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { makeFolder } from '../../../common/own-files.js';
import { shakeHands } from './handshake.js';
import { SignerLink } from './signer-link.js';

/** Where a standalone signer listens, and the secret that both sides must know. */
export interface SignerAddress {
  readonly path: string;
  readonly secret: string;
}

/**
 * A link to a signer that runs as a separate service.
 *
 * @param signal aborts the connection attempt when the link is no longer needed
 */
export async function openSocket({ path, secret }: SignerAddress, signal?: AbortSignal): Promise<SignerLink> {
  const socket = connect(path);
  socket.on('error', () => socket.destroy());
  const giveUp = (): void => void socket.destroy(new Error('It is not needed any more.'));
  signal?.addEventListener('abort', giveUp);
  try {
    if (signal?.aborted) giveUp();
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    await shakeHands(socket, secret, 'instance');
    return new SignerLink(socket);
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

/** Listens on a socket that only its owner may open, and serves clients that know the secret. */
export async function listenOn(
  { path, secret }: SignerAddress,
  serve: (socket: Socket) => void,
  complain: (line: string) => void,
): Promise<Server> {
  makeFolder(dirname(path));
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === false) {
    throw new Error(`SIGNER_SOCKET names ${path}, which is no socket. It is left as it is: name another path.`);
  }
  if (await isAnswered(path)) throw new Error(`Another signer listens on ${path}.`);
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    shakeHands(socket, secret, 'signer').then(
      () => serve(socket),
      (error: Error) => complain(`A connection was refused: ${error.message}`),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  chmodSync(path, 0o600);
  return server;
}

/** A stale socket refuses connections. Any other result means that it is in use, even a full backlog (EAGAIN). */
function isAnswered(path: string): Promise<boolean> {
  const socket = connect(path);
  return new Promise<boolean>((resolve) => {
    socket
      .once('connect', () => resolve(true))
      .once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ENOENT' && code !== 'ECONNREFUSED'));
  }).finally(() => socket.destroy());
}
