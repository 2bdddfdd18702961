/** The fields used here of the output of `--cpu-prof` (the Profile of the Chrome DevTools protocol). */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** Microseconds since the previous sample. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

export interface Time {
  /** A function with its file and line, or a package. */
  readonly name: string;
  readonly milliseconds: number;
  /** The share of non-idle time. */
  readonly share: number;
}

export interface Times {
  /** By the function that was running. */
  readonly functions: Time[];
  /** By the package, or the file of the service, that called into the runtime. */
  readonly owners: Time[];
}

const NOT_WORK = new Set(['(idle)', '(root)']);

/**
 * Where processor time was spent, most first. Idle time is excluded.
 * @param skipMs time to skip at the beginning
 */
export function timesOf({ nodes, samples, timeDeltas }: CpuProfile, skipMs = 0): Times {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const functions = new Map<string, number>();
  const owners = new Map<string, number>();
  let busy = 0;
  let elapsed = 0;
  for (const [index, sample] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0;
    elapsed += delta;
    const node = byId.get(sample);
    if (!node || NOT_WORK.has(node.callFrame.functionName) || elapsed <= skipMs * 1000) continue;
    busy += delta;
    add(functions, nameOf(node), delta);
    add(
      owners,
      ownerOf(node, (id) => byId.get(parents.get(id) ?? NaN)),
      delta,
    );
  }
  return { functions: ranked(functions, busy), owners: ranked(owners, busy) };
}

function add(times: Map<string, number>, name: string, delta: number): void {
  times.set(name, (times.get(name) ?? 0) + delta);
}

const ranked = (times: Map<string, number>, busy: number): Time[] =>
  [...times]
    .map(([name, time]) => ({ name, milliseconds: time / 1000, share: time / busy }))
    .sort((a, b) => b.milliseconds - a.milliseconds);

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const name = functionName || '(anonymous)';
  return url === '' ? name : `${name} ${shortened(url)}:${lineNumber + 1}`;
}

const shortened = (url: string): string =>
  url.includes('/node_modules/') ? url.replace(/^.*\/node_modules\//, '') : url.replace(/^.*?\/dist\//, '');

/** The nearest caller outside the runtime. */
function ownerOf(node: ProfileNode, parentOf: (id: number) => ProfileNode | undefined): string {
  for (let at: ProfileNode | undefined = node; at; at = parentOf(at.id)) {
    const { url } = at.callFrame;
    if (url === '' || url.startsWith('node:')) continue;
    const path = shortened(url);
    if (!url.includes('/node_modules/')) return path;
    return path.split('/', path.startsWith('@') ? 2 : 1).join('/');
  }
  return '(runtime)';
}
