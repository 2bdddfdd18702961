import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILES, imagesOf, pinned, unpinned, unversioned } from '../scripts/images.js';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const digestOf = (name: string): string => `sha256:${Buffer.from(name).toString('hex').padEnd(64, '0').slice(0, 64)}`;

describe('the images that a deployment starts from', () => {
  it('are named with a version, none of which is moved to whatever is newest', () => {
    for (const file of FILES) expect([file, unversioned(read(file))]).toEqual([file, []]);
    expect(FILES.flatMap((file) => imagesOf(read(file))).length).toBeGreaterThanOrEqual(4);
    const planted = 'services:\n  a:\n    image: redis\n  b:\n    image: nginx:latest\n  c:\n    image: postgres:17\n';
    expect(unversioned(planted)).toEqual(['redis', 'nginx:latest']);
  });

  it('are named with the digest of one image, in every file', () => {
    for (const file of FILES) expect([file, unpinned(read(file))]).toEqual([file, []]);
    expect(unpinned(read('docker-compose.yml').replace(/(image: redis:7)@sha256:\S+/, '$1'))).toEqual(['redis:7']);
  });

  it.each(FILES)('are pinned in %s by their digests and change nothing else, as often as it is done', (file) => {
    const text = read(file);
    const once = pinned(text, digestOf);
    expect(unpinned(once)).toEqual([]);
    expect(once.replace(/@sha256:(?!0{64})[0-9a-f]{64}/g, '')).toBe(text.replace(/@sha256:(?!0{64})[0-9a-f]{64}/g, ''));
    expect(pinned(once, digestOf)).toBe(once);
    const moved = pinned(once, (name) => digestOf(`newer ${name}`));
    expect(imagesOf(moved)).toEqual(
      imagesOf(text).map((name) => `${name.split('@')[0]}@${digestOf(`newer ${name.split('@')[0]}`)}`),
    );
  });

  it('are refused without a digest, and stay as they are when the registry names none', () => {
    expect(unpinned('FROM node:24 AS build\nFROM build\nFROM redis:7\n')).toEqual(['node:24', 'redis:7']);
    expect(unpinned('    image: gatehouse\n')).toEqual([]);
    expect(() => pinned('FROM node:24\n', () => 'manifest unknown')).toThrow('returned no digest for node:24');
  });
});
