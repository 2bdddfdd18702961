import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readSources } from '../../test/support/architecture/source-file.js';
import { FAILPOINTS, FAILPOINT_MODULE, failpointImport } from './failpoints.js';
import { MUTATIONS } from './mutations.js';
import { applyEdit } from './source-edit.js';

const root = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');
const EDITS = [...Object.values(FAILPOINTS), ...MUTATIONS.flatMap(({ edits }) => edits)];

describe('an edit of the sources', () => {
  it.each(EDITS.map((edit) => [edit.path, edit] as const))('finds its place in %s', (path, edit) => {
    expect(applyEdit(readFileSync(`${root}/${path}`, 'utf8'), edit)).toContain(edit.replacement);
  });

  it('is refused when its place is gone, or is there twice', () => {
    const edit = { path: 'src/a.ts', anchor: 'b()', replacement: 'c()' };
    expect(() => applyEdit('a();', edit)).toThrow('src/a.ts holds 0 times');
    expect(() => applyEdit('b(); b();', edit)).toThrow('src/a.ts holds 2 times');
  });

  it('imports the failpoint from wherever it is put', () => {
    expect(failpointImport('src/queue/bull-queue.ts')).toBe(`import { failpoint } from '../common/failpoint.js';\n`);
    expect(failpointImport('src/webhooks/delivery/a.ts')).toContain(`'../../common/failpoint.js'`);
  });

  it('is the only place of failpoints: the product has none', () => {
    const sources = readSources(root, 'src');
    expect(sources.filter(({ path, text }) => path === FAILPOINT_MODULE || /failpoint/i.test(text))).toEqual([]);
  });
});
