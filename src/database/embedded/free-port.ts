import { createServer } from 'node:net';

/** A free TCP port on 127.0.0.1: the preferred one if it is free, else one picked by the system. */
export async function findFreePort(preferred: number | null = null): Promise<number> {
  if (preferred !== null && (await tryListen(preferred)) !== null) return preferred;
  const port = await tryListen(0);
  if (port === null) throw new Error('no free TCP port on 127.0.0.1');
  return port;
}

function tryListen(port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : null));
    });
  });
}
