import { describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { join } from 'node:path';
import { NotesModule } from '../examples/notes/index.js';
import { NotesController } from '../examples/notes/notes.controller.js';
import { NoteRow } from '../examples/notes/note.entity.js';
import { OneTimeLinksModule } from '../examples/one-time-links/index.js';
import { OneTimeLinkRow } from '../examples/one-time-links/one-time-link.entity.js';
import {
  OneTimeLinkSignInController,
  OneTimeLinksController,
} from '../examples/one-time-links/one-time-links.controller.js';
import { OpeningHours, SignInHoursCheck } from '../examples/sign-in-hours/index.js';
import { VendorKeysRow } from '../examples/vendor-custodian/vendor-keys.entity.js';
import { Clock } from '../src/common/clock.js';
import type { Executor } from '../src/database/index.js';
import type { OpenApiDocument } from '../src/openapi/document-types.js';
import { SignInChecks, type Admission } from '../src/identity/index.js';
import { findUnscopedEntities } from './support/architecture/entities.js';
import { findLongFiles, findBareProperties, findUnexplainedDisables } from './support/architecture/file-shape.js';
import {
  findMisplaced,
  findRepeatedErrors,
  findUndeclared,
  findWithoutAccess,
  findWithoutOwner,
  handlersOf,
} from './support/architecture/handlers.js';
import { findUnvalidated } from './support/architecture/request-classes.js';
import { findOrderViolations } from './support/architecture/import-order.js';
import { extensionOf, readSources, virtual, type SourceFile } from './support/architecture/source-file.js';
import { findUnscopedSql } from './support/architecture/statements.js';
import { documentWith } from './support/suites/installation.js';

const at = (time: string): Date => new Date(`2026-03-01T${time}Z`);

describe('opening hours', () => {
  it.each([
    ['08:00', '18:00', '07:59:59', 1],
    ['08:00', '18:00', '08:00:00', 0],
    ['08:00', '18:00', '17:59:59', 0],
    ['08:00', '18:00', '18:00:00', 14 * 3600],
    ['22:00', '06:00', '23:30:00', 0],
    ['22:00', '06:00', '05:59:59', 0],
    ['22:00', '06:00', '06:00:00', 16 * 3600],
    ['00:00', '00:01', '00:01:30', 86_400 - 90],
  ])('from %s to %s: at %s they open in %d seconds', (from, to, time, seconds) => {
    expect(OpeningHours.between(from, to).secondsUntilOpen(at(time))).toBe(seconds);
    expect(OpeningHours.between(from, to).includes(at(time))).toBe(seconds === 0);
  });

  it.each([
    ['24:00', '06:00'],
    ['8:00', '18:00'],
    ['08:00', ''],
    ['08:00', '08:00'],
  ])('from %s to %s are refused', (from, to) => {
    expect(() => OpeningHours.between(from, to)).toThrow(RangeError);
  });
});

describe('the check of sign-in hours', () => {
  const nobody: Executor = { rows: async () => [], execute: async () => 0 };

  async function checksAt(time: string): Promise<SignInChecks> {
    const module = await Test.createTestingModule({
      providers: [
        SignInChecks,
        SignInHoursCheck,
        { provide: OpeningHours, useValue: OpeningHours.between('08:00', '18:00') },
        { provide: Clock, useValue: { now: () => at(time) } },
      ],
    }).compile();
    await module.init();
    return module.get(SignInChecks);
  }
  const run = async (time: string, occasion: Admission['occasion']) =>
    (await checksAt(time)).run({ occasion } as Admission, nobody);

  it('registers itself and refuses a sign-in outside of the hours, saying when to come back', async () => {
    await expect(run('20:00:00', 'sign-in')).rejects.toMatchObject({
      status: 403,
      code: 'sign_in_closed',
      details: { retryAfterSeconds: 12 * 3600 },
    });
  });

  it('adds nothing to the tokens of those it admits', async () => {
    const grants = await run('12:00:00', 'sign-in');
    expect(grants).toEqual(await new SignInChecks().run({ occasion: 'sign-in' } as Admission, nobody));
  });

  it('leaves sessions alone that are open already', async () => {
    await expect(run('20:00:00', 'refresh')).resolves.toBeDefined();
  });
});

const root = join(import.meta.dirname, '..');

describe('imports', () => {
  it('of extensions are of contexts and of each other; only the composition root knows an extension', () => {
    const outside = ['examples', 'extensions', 'migrations'].flatMap((folder) => readSources(root, folder));
    const planted = virtual({
      'src/billing/a.ts': "import { A } from '../../extensions/acme/index.js';",
      'src/app.module.ts': "import { A } from '../extensions/acme/a.module.js';\nimport '../examples/notes/index.js';",
      'extensions/acme/a.ts': "import { create } from '../../src/app.module.js';\nimport '../../test/support/app.js';",
      'extensions/acme/b.ts': "import { b } from '../other/b.js';",
      'migrations/index.ts': "import { CreateAcme1 } from '../extensions/acme/index.js';",
    });
    expect(findOrderViolations(planted)).toEqual([
      'src/billing/a.ts -> extensions/acme/index.ts: leaves src',
      'src/app.module.ts -> extensions/acme/a.module.ts: leaves src',
      'src/app.module.ts -> examples/notes/index.ts: leaves src',
      'extensions/acme/a.ts -> src/app.module.ts: imports the composition root',
      'extensions/acme/a.ts -> test/support/app.ts: leaves src and extensions',
      'extensions/acme/b.ts -> extensions/other/b.ts: goes past the door',
      'migrations/index.ts -> extensions/acme/index.ts: migrations import migrations alone, by their file',
    ]);
    const fine = virtual({
      'src/app.module.ts': "import { A } from '../extensions/acme/index.js';",
      'extensions/acme/a.ts': "import './b/c.js'; import '../other/index.js'; import '../../src/billing/index.js';",
      'extensions/acme/a.e2e-spec.ts': "import '../../test/support/app.js';",
      'extensions/acme/a.surface.ts': "import '../../test/support/app.js';",
      'migrations/index.ts': "import './1-create-b.js'; import '../extensions/acme/1-create-acme.js';",
    });
    expect(findOrderViolations(fine)).toEqual([]);
    expect(findOrderViolations(outside)).toEqual([]);
  });
});

describe('the examples', () => {
  const files = readSources(root, 'examples');

  const handlers = handlersOf([NotesController, OneTimeLinksController, OneTimeLinkSignInController]);

  it('say of each of their tables whether it moves', () => {
    const folderOf = ({ path }: SourceFile): string => extensionOf(path) ?? '';
    const unsaid = (all: readonly SourceFile[]): string[] =>
      all.flatMap((file) =>
        [...file.text.matchAll(/@Entity\([^]*?\bclass (\w+)/g)]
          .map(([, name = '']) => name)
          .filter((name) => !all.some((one) => one.path.startsWith(folderOf(file)) && isSaidIn(one, name))),
      );
    const isSaidIn = ({ path, text }: SourceFile, name: string): boolean =>
      path.endsWith('.moving.ts') && new RegExp(`(?:moves|stays)\\([^)]*\\b${name}\\b`).test(text);
    const planted = virtual({
      'examples/a/a.entity.ts': "@Entity('a')\nexport class ARow {}",
      'examples/a/a.moving.ts': "import { ARow } from './a.entity.js';",
      'examples/b/b.entity.ts': "@Entity('b')\nexport class BRow {}",
      'examples/b/b.moving.ts': 'const moving = [moves(BRow)];',
    });
    expect(unsaid(planted)).toEqual(['ARow']);
    expect(unsaid(files)).toEqual([]);
  });

  it('list no error that follows from access, path, body or query', async () => {
    const document = await documentWith([NotesModule, OneTimeLinksModule]);
    expect(findRepeatedErrors(handlers, document as unknown as OpenApiDocument)).toEqual([]);
  });

  it('keep the rules of the house', () => {
    expect(handlers.map(({ name }) => name)).toEqual([
      'listNotes',
      'createNote',
      'deleteNote',
      'createOneTimeLink',
      'signInWithOneTimeLink',
    ]);
    expect(findWithoutAccess(handlers)).toEqual([]);
    expect(findUndeclared(handlers, {})).toEqual([]);
    expect(findMisplaced(handlers, {})).toEqual([]);
    expect(findWithoutOwner(handlers, {})).toEqual([]);
    expect(findUnvalidated(handlers)).toEqual([]);
    expect(findUnscopedEntities([NoteRow, VendorKeysRow, OneTimeLinkRow], {})).toEqual([]);
    expect(findUnscopedSql(files.filter(({ path }) => !/\/\d+-/.test(path)))).toEqual([]);
    expect(findLongFiles(files)).toEqual([]);
    expect(findUnexplainedDisables(files)).toEqual([]);
    expect(findBareProperties(files.map(({ path, text }) => ({ path: `src/${path}`, text })))).toEqual([]);
  });
});
