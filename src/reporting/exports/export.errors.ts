import { defineError } from '../../common/errors/index.js';

/** Limit on exports of an environment at a time; each is deleted after a day. */
export const MOST_EXPORTS = 20;

export const tooManyExports = defineError({
  code: 'too_many_exports',
  status: 422,
  message: 'The environment has reached the limit of exports.',
  hint: 'Use one of them, or try again when the oldest is a day old.',
  cause: `An environment may have ${MOST_EXPORTS} exports. Each is kept for a day.`,
  fix: 'Download an existing export (`getEnvironmentExports`), or wait until the oldest is deleted.',
});

export const exportNotReady = defineError({
  code: 'export_not_ready',
  status: 404,
  message: 'The export has no file yet.',
  hint: 'Read the export until its status is completed.',
  cause: 'The file is still being written, or could not be written.',
  fix: 'Poll `getExportById` until `status` is `completed`. If it is `failed`, create another export.',
});

export const downloadOver = defineError({
  code: 'export_download_over',
  status: 404,
  message: 'This download address is no longer valid.',
  hint: 'Call downloadExportById again for a new address.',
  cause: 'The address was already used, is older than five minutes, or its export was deleted.',
  fix: 'Call `downloadExportById` again. Each address can be used for one download within five minutes.',
});

export const fileUnreadable = defineError({
  code: 'export_file_unreadable',
  status: 503,
  message: 'The file cannot be read at the moment.',
  hint: 'Call downloadExportById again for a new address, or create another export.',
  cause: 'The export store does not answer, or the file there is not the one that was written.',
  fix: 'Try again with a new address. If that does not help, create another export. Operators: run `npm run doctor`.',
});
