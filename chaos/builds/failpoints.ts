import type { SourceEdit } from './source-edit.js';

/**
 * Places at which a process can be made to crash with FAILPOINT=name:action:probability in its environment. They are
 * added to a copy of the sources, so the product contains none, not even as no-ops.
 */
export const FAILPOINTS = {
  'before-commit': {
    path: 'src/database/transaction.ts',
    anchor: 'for (const name of LOCKED_LAST) for (const work of this.last[name]) await work();',
    replacement:
      "for (const name of LOCKED_LAST) for (const work of this.last[name]) await work();\n    failpoint('before-commit');",
  },
  'after-commit': {
    path: 'src/database/transaction.ts',
    anchor: "runAll('after-commit', this.callbacks);",
    replacement: "failpoint('after-commit');\n    runAll('after-commit', this.callbacks);",
  },
  'after-ring': {
    path: 'src/queue/bull-queue.ts',
    anchor: `removeOnComplete: true, removeOnFail: true })`,
    // Only rings of a change: each start rings as well, with a delay, and would crash on and on.
    replacement: `removeOnComplete: true, removeOnFail: true })\n      .then((job) => (delay === 0 && failpoint('after-ring'), job))`,
  },
  'after-post': {
    path: 'src/webhooks/delivery/delivery-worker.ts',
    anchor: `const result = await this.attempts.make(message);`,
    replacement: `const result = await this.attempts.make(message);\n      failpoint('after-post', message.messageId);`,
  },
  'after-record': {
    path: 'src/webhooks/delivery/result-recorder.ts',
    anchor: `const kept = await this.results.record(batch);`,
    replacement: `const kept = await this.results.record(batch);\n        failpoint('after-record', batch[0]?.message.messageId);`,
  },
} as const satisfies Record<string, SourceEdit>;

export type FailpointName = keyof typeof FAILPOINTS;

/** The path of the function in the copy; nothing exists there. */
export const FAILPOINT_MODULE = 'src/common/failpoint.ts';

/** The log line that marks where a process crashed. */
export const FAILPOINT_MARK = 'failpoint reached: ';

/** Each subject triggers it once, as the file FAILPOINT_SEEN records. Synchronous: nothing runs before the crash. */
export const FAILPOINT_SOURCE = `import { appendFileSync, existsSync, readFileSync, writeSync } from 'node:fs';

const [name, action, probability] = (process.env['FAILPOINT'] ?? '').split(':');
const seen = process.env['FAILPOINT_SEEN'] ?? '';

export function failpoint(place: string, subject?: string): void {
  if (place !== name || Math.random() >= Number(probability)) return;
  if (subject !== undefined && seen !== '') {
    if (existsSync(seen) && readFileSync(seen, 'utf8').includes(subject)) return;
    appendFileSync(seen, subject + '\\n');
  }
  writeSync(2, \`${FAILPOINT_MARK}\${place}\\n\`);
  if (action === 'crash') process.kill(process.pid, 'SIGKILL');
  if (action === 'sleep') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}
`;

/** The import of the function for a source file. */
export function failpointImport(path: string): string {
  const up = path
    .split('/')
    .slice(1, -1)
    .map(() => '..');
  return `import { failpoint } from '${['.', ...up].join('/')}/common/failpoint.js';\n`.replace('./..', '..');
}
