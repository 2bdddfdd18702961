import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { RawClient } from '../support/surface/raw-client.js';
import { World } from '../support/world.js';

describe('what a caller sends', () => {
  let test: TestApp;
  let world: World;
  let client: RawClient;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    client = new RawClient(test.url);
  });
  afterAll(async () => {
    client.close();
    await test.close();
  });

  it('with a duplicate key anywhere is refused, and writes nothing', async () => {
    const before = await world.owner.get(world.path(''), { expect: 200 });
    for (const body of [
      '{"general":{"displayName":"a"},"general":{"displayName":"b"}}',
      '{"general":{"displayName":"a","displayName":"b"}}',
      '{"general":{"displayName":"a","display\\u004eame":"b"}}',
    ]) {
      const { status, body: refused } = await client.send({
        method: 'PUT',
        path: `/api/v0${world.path('')}`,
        token: world.ownerToken,
        body,
      });
      expect([body, status, refused]).toEqual([
        body,
        400,
        expect.objectContaining({ code: 'malformed_body', error: 'An object in the body has a duplicate key.' }),
      ]);
    }
    expect((await world.owner.get(world.path(''), { expect: 200 })).body).toEqual(before.body);
  });

  it('never becomes a response header', async () => {
    const breaks = [
      'a%0d%0aset-cookie:%20a=b',
      'a%0aset-cookie:%20a=b',
      'a\u0085b',
      'a b c d e',
      'x'.repeat(200),
      '<b>12345678',
    ];
    const path = world.sdk('/nonce');
    const answers = await Promise.all(
      breaks.flatMap((text) => [
        client.send({ method: 'GET', path: `/api/v0${path}?a=${encodeURI(text)}` }),
        client.send({ method: 'GET', path: `/api/v0/sdk/${encodeURI(text)}/nonce` }),
        client.send({ method: 'GET', path: `/api/v0${path}`, headers: { 'x-request-id': text, origin: text } }),
      ]),
    );
    for (const { headers } of answers) {
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    // What would end a header early is refused before the service sees it.
    const { hostname, port } = new URL(test.url);
    const socket = connect(Number(port), hostname);
    socket.end(`GET /api/v0${path} HTTP/1.1\r\nhost: a\r\nx-request-id: 12345678\rset-cookie: a=b\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString()).toMatch(/^HTTP\/1\.1 400 /);
    expect(head.toString()).not.toMatch(/set-cookie/i);
  });
});
