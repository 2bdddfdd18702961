import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monotonicMs } from '../monotonic.js';

/** `seen` returns everything, `count` everything but the emails, `forget` the same as `count`, and then resets. */
export interface ReceiverQuestion {
  readonly ask: 'seen' | 'count' | 'forget';
}

/** Arrivals since the last `forget`; times are milliseconds of the machine's monotonic clock. */
export interface Seen {
  readonly port: number;
  readonly posts: number;
  readonly first: number;
  readonly last: number;
  readonly emails: readonly Arrival[];
}

/** A body with an email: the email, when its last byte arrived, and its age by the event's timestamp. */
export type Arrival = readonly [email: string, at: number, ageMs: number];

/** The webhook receiver: responds 200 to every POST, in a separate process. */
let posts = 0;
let first = 0;
let last = 0;
let emails: Arrival[] = [];
/** JSON written by PostgreSQL has a space after the colon. */
const EMAIL = /"email": ?"([^"]+)"/;
const TIMESTAMP = /"timestamp": ?"([^"]+)"/;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    last = monotonicMs();
    if (posts === 0) first = last;
    posts += 1;
    const wall = performance.timeOrigin + performance.now();
    const body = Buffer.concat(chunks).toString();
    const email = EMAIL.exec(body)?.[1];
    if (email) emails.push([email, last, wall - Date.parse(TIMESTAMP.exec(body)?.[1] ?? '')]);
    response.writeHead(200, { 'content-length': 0 }).end();
  });
});
// Connections stay open even if the senders are idle.
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
