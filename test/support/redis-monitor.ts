import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Everything that anybody sends to a Redis server from now on. Spoken by hand: a client that waits for the greeting
 * takes the first commands for answers when they come in one packet with it, and gives up.
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

  /** Commands with their arguments, one in each line, in order. */
  get commands(): string {
    return this.text.replace(/^\+[\d.]+ \[[^\]]*\] /gm, '').replace(/\\(["\\])/g, '$1');
  }

  /** What was sent a moment ago may still be on its way. */
  async stop(): Promise<void> {
    await delay(50);
    this.socket.destroy();
  }
}
