import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Everything sent to a Redis server from now on. Speaks the protocol itself: a client that waits for the greeting takes
 * the first commands for responses if they arrive in one packet with it, and gives up.
 */
export class RedisMonitor {
  private text = '';

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (this.text += text));
  }

  static async start(url: string): Promise<RedisMonitor> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port || 6379), hostname);
    await once(socket, 'connect');
    const monitor = new RedisMonitor(socket);
    socket.write('MONITOR\r\n');
    while (!monitor.text.startsWith('+OK\r\n')) await delay(1);
    return monitor;
  }

  /** Commands with their arguments, one per line, in order. */
  get commands(): string {
    return this.text.replace(/^\+[\d.]+ \[[^\]]*\] /gm, '').replace(/\\(["\\])/g, '$1');
  }

  /** Recently sent commands may still be in transit. */
  async stop(): Promise<void> {
    await delay(50);
    this.socket.destroy();
  }
}
