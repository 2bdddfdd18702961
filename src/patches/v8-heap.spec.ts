import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';

/** What V8 says of a flag: what it is for, and its default. */
function describedBy(v8: string, name: string): string | undefined {
  const lines = v8.split('\n').map((line) => line.trim());
  const at = lines.findIndex((line) => line.startsWith(`--${name} (`));
  return at < 0 ? undefined : lines.slice(at, at + 2).join(' ');
}

describe('the flags of V8 that the service sets', () => {
  const v8 = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8', maxBuffer: 1e7 });

  it('belong to the Node that they were measured with', () => {
    expect(process.version).toMatch(/^v24\./);
  });

  it.each([
    ['allocation-site-pretenuring', /type: bool +default: --allocation-site-pretenuring/],
    ['heap-growing-percent', /type: int +default: (--heap-growing-percent=)?0/],
    ['min-semi-space-size', /type: size_t +default:/],
    ['max-semi-space-size', /type: size_t +default:/],
    ['expose-gc', /type: bool +default: --no-?expose-gc/],
  ])('are known to it: %s', (name, form) => {
    expect(describedBy(v8, name)).toMatch(form);
  });

  it('would be missed, if it had been renamed', () => {
    expect(describedBy(v8, 'allocation-site-tenuring')).toBeUndefined();
  });

  it('can be used to collect on demand', () => {
    const program = `import { setFlagsFromString } from 'node:v8'; import { runInNewContext } from 'node:vm';
      setFlagsFromString('--expose-gc');
      runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' }); console.log('collected');`;
    const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
    expect(said).toBe('collected\n');
  });
});
