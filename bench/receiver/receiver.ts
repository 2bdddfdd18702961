import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monotonicMs } from '../monotonic.js';

/** `seen` answers everything, `count` all but the emails, `forget` the same and starts again. */
export interface ReceiverQuestion {
  readonly ask: 'seen' | 'count' | 'forget';
}

/** What arrived since the last `forget`; times are milliseconds of the machine's monotonic clock. */
export interface Seen {
  readonly port: number;
  readonly posts: number;
  readonly first: number;
  readonly last: number;
  /** The email in each body that has one, and when its last byte arrived. */
  readonly emails: readonly (readonly [string, number])[];
}

/** Where webhooks go: answers 200 to every POST, in a process of its own. */
let posts = 0;
let first = 0;
let last = 0;
let emails: [string, number][] = [];
/** JSON that PostgreSQL wrote has a space after the colon. */
const EMAIL = /"email": ?"([^"]+)"/;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    last = monotonicMs();
    if (posts === 0) first = last;
    posts += 1;
    const email = EMAIL.exec(Buffer.concat(chunks).toString())?.[1];
    if (email) emails.push([email, last]);
    response.writeHead(200, { 'content-length': 0 }).end();
  });
});
// Connections stay open however long the senders are idle.
server.keepAliveTimeout = 0;

const listening = new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

process.on('message', (question: ReceiverQuestion) => {
  void listening.then(() => {
    const seen: Seen = { port: (server.address() as AddressInfo).port, posts, first, last, emails };
    process.send?.({ result: question.ask === 'seen' ? seen : { ...seen, emails: [] } });
    if (question.ask !== 'forget') return;
    [posts, first, last, emails] = [0, 0, 0, []];
  });
});
process.on('disconnect', () => process.exit(0));
