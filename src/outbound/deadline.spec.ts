import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { Deadline } from './deadline.js';

const DEADLINE_MS = 50;

/** Answers whatever it is sent, and notes when it has: its own thread does not stand still with the one of the test. */
const ANSWERING = `
  const { createServer } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const answered = new Int32Array(workerData);
  const server = createServer((socket) => socket.on('data', () => socket.write('answer', () => {
    Atomics.store(answered, 0, 1);
    Atomics.notify(answered, 0);
  })));
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

describe('a deadline', () => {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  let server: Worker;
  let port: number;

  beforeAll(async () => {
    server = new Worker(ANSWERING, { eval: true, workerData: answered.buffer });
    [port] = (await once(server, 'message')) as [number];
  });
  afterAll(() => server.terminate());

  it('that is over while the process stood still lets it read first what came meanwhile', async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const { promise, resolve } = Promise.withResolvers<string>();
    const deadline = new Deadline(DEADLINE_MS, () => resolve('late'));
    socket.once('data', (data) => {
      deadline.clear();
      resolve(data.toString());
    });
    socket.write('question');
    // Until the answer is there, and the time is over.
    expect(Atomics.wait(answered, 0, 0, 30_000)).not.toBe('timed-out');
    Atomics.wait(answered, 0, 1, 2 * DEADLINE_MS);
    expect(await promise).toBe('answer');
    socket.destroy();
  });

  it('is told of once, and not when it was cleared, be it at the last moment', async () => {
    const told: string[] = [];
    const late = new Deadline(1, () => told.push('late'));
    const cleared = new Deadline(1, () => told.push('cleared'));
    setTimeout(() => cleared.clear(), 1);
    await new Promise((resolve) => setTimeout(resolve, 5 * DEADLINE_MS));
    expect(told).toEqual(['late']);
    late.clear();
  });
});
