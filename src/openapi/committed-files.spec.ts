import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { internalError, notFound, validationFailed } from '../common/errors/index.js';
import { committedFiles, findDrift, writeCommitted } from './committed-files.js';
import type { OpenApiDocument } from './document-types.js';

const document: OpenApiDocument = { openapi: '3.1.0', info: { title: 'Sample', version: 'v0' }, paths: {} };
const errors = [internalError, notFound, validationFailed].map(({ definition }) => definition);

describe('the generated files', () => {
  const files = committedFiles(document, errors);
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-committed-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('are the document, a page for each error and a list of them', () => {
    expect([...files.keys()].sort()).toEqual([
      'docs/errors/README.md',
      'docs/errors/internal_error.md',
      'docs/errors/not_found.md',
      'docs/errors/validation_failed.md',
      'openapi.json',
    ]);
    expect(files.get('docs/errors/README.md')).toContain('- [not_found](not_found.md) (404): No such record.');
  });

  it('show cause, fix and an example of each error', () => {
    const text = files.get('docs/errors/validation_failed.md');
    expect(text).toContain(validationFailed.definition.cause);
    expect(text).toContain(validationFailed.definition.fix);
    expect(text).toMatch(/"docUrl": "[^"]+\/docs\/errors\/validation_failed",\n {2}"payload": \{\n {4}"fields"/);
    expect(files.get('docs/errors/internal_error.md')).not.toContain('docUrl');
  });

  it('do not drift once written, and are written only where they differ', () => {
    expect(findDrift(root, files)).toHaveLength(files.size);
    expect(writeCommitted(root, files)).toHaveLength(files.size);
    expect(findDrift(root, files)).toEqual([]);
    expect(writeCommitted(root, files)).toEqual([]);
  });

  it('drift visibly: a changed line, a file that is gone, a page without an error', () => {
    writeCommitted(root, files);
    writeFileSync(
      join(root, 'openapi.json'),
      readFileSync(join(root, 'openapi.json'), 'utf8').replace('Sample', 'Other'),
    );
    rmSync(join(root, 'docs/errors/not_found.md'));
    writeFileSync(join(root, 'docs/errors/former_error.md'), '');
    expect(findDrift(root, files)).toEqual([
      expect.stringMatching(
        /^openapi\.json: differs from line 4\n {2}- {5}"title": "Other",[^]+\n {2}\+ {5}"title": "Sample",/,
      ),
      'docs/errors/not_found.md: is missing',
      'docs/errors/former_error.md: belongs to no error',
    ]);
    writeCommitted(root, files);
    expect(findDrift(root, files)).toEqual([]);
  });

  it('drift where a file ends early', () => {
    writeCommitted(root, files);
    const full = readFileSync(join(root, 'openapi.json'), 'utf8');
    writeFileSync(join(root, 'openapi.json'), `${full}more\n`);
    expect(findDrift(root, files)).toEqual([expect.stringContaining('- more')]);
  });
});
