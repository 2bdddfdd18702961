import { describe, expect, it } from '@jest/globals';
import { haproxyFile, nginxFile } from './balancer-file.js';

const PLACE = { home: '/tmp/home', port: 4000, backends: [5001, 5002, 5003] };

describe.each([
  ['haproxy', haproxyFile],
  ['nginx', nginxFile],
])('the configuration of %s that a run uses', (_name, fileOf) => {
  const text = fileOf(PLACE).replaceAll(/#.*/g, '');

  it('listens on loopback alone and knows every instance of the run', () => {
    expect(text).toMatch(/(bind|listen) 127\.0\.0\.1:4000/);
    expect(text.match(/(bind|listen) /g)).toHaveLength(1);
    expect([...text.matchAll(/^ *server .*?127\.0\.0\.1:(\d+)/gm)].map(([, port]) => Number(port))).toEqual(
      PLACE.backends,
    );
  });

  it('names no address but loopback', () => {
    const addresses = [...text.matchAll(/\b\d+\.\d+\.\d+\.\d+\b/g)].map(([address]) => address);
    expect(new Set(addresses)).toEqual(new Set(['127.0.0.1']));
  });
});
