/** What `--cpu-prof` writes (the Profile of the Chrome DevTools protocol), as far as it is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

export interface FunctionTime {
  /** Function, file and line, as far as they are known. */
  readonly name: string;
  readonly milliseconds: number;
  /** Of the time that was not idle. */
  readonly share: number;
}

const NOT_WORK = new Set(['(idle)', '(root)']);

/** Functions by the time spent in themselves, the most first. Idle time does not count. */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): FunctionTime[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  let busy = 0;
  for (const [index, sample] of samples.entries()) {
    const name = names.get(sample) ?? '(unknown)';
    const delta = timeDeltas[index] ?? 0;
    if (NOT_WORK.has(name)) continue;
    busy += delta;
    times.set(name, (times.get(name) ?? 0) + delta);
  }
  return [...times]
    .map(([name, time]) => ({ name, milliseconds: time / 1000, share: time / busy }))
    .sort((a, b) => b.milliseconds - a.milliseconds);
}

function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = functionName || '(anonymous)';
  if (url === '') return name;
  const file = url.replace(/^.*\/(node_modules|dist)\//, '');
  return `${name} ${file}:${lineNumber + 1}`;
}
