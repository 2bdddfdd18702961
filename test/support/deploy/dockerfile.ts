/** A Dockerfile instruction, with continued lines joined. */
export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

export function parseDockerfile(text: string): Instruction[] {
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', ...rest] = line.trim().split(/\s+/);
      return { name: name.toUpperCase(), rest: rest.join(' ') };
    });
}

/** Paths that `COPY` takes from the build context, in order. */
export const copiedFromContext = (instructions: readonly Instruction[]): string[] =>
  instructions
    .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from='))
    .flatMap(({ rest }) => rest.split(' ').slice(0, -1));

/** What the last stage copies from earlier ones: stage, and path below its working directory. */
export const copiedFromStages = (instructions: readonly Instruction[]): { stage: string; path: string }[] =>
  instructions.flatMap(({ name, rest }) => {
    const found = name === 'COPY' && /^--from=(\S+) \/app\/(\S+) /.exec(rest);
    return found ? [{ stage: found[1] ?? '', path: found[2] ?? '' }] : [];
  });

/** The words of an instruction in exec form; null for shell form, whose shell does not forward signals. */
export function execForm({ rest }: Instruction): string[] | null {
  try {
    return JSON.parse(rest) as string[];
  } catch {
    return null;
  }
}

/** Paths that an "everything but" `.dockerignore` lets into the build context. */
export const allowedByIgnoreFile = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
