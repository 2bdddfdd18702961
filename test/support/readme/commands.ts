/** One fenced block of Markdown. */
export interface Fence {
  readonly language: string;
  /** What stands behind the language, for instance the file that a block is taken from. */
  readonly source: string;
  readonly text: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
}

/** Fenced blocks of a Markdown text, in order. Those of language `sh` are commands that a reader may paste. */
export function fencesOf(markdown: string): Fence[] {
  return [...markdown.matchAll(/^```(\w*)[ \t]*([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = '', source = '', text = ''] = match;
    return { language, source, text, line: markdown.slice(0, match.index).split('\n').length };
  });
}

/** Scripts of package.json that a Markdown text tells its reader to run, in blocks or in the running text. */
export const scriptsIn = (markdown: string): string[] => [
  ...new Set(
    [...markdown.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(([, run, short]) => run ?? short ?? ''),
  ),
];

/** Relative links of a Markdown text: the path, and the heading behind `#` where there is one. */
export const linksIn = (markdown: string): { path: string; anchor: string }[] =>
  [...markdown.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => ({ path: target.replace(/#.*$/, ''), anchor: /#(.*)$/.exec(target)?.[1] ?? '' }));

/** What the headings of a Markdown text are linked by. */
export const anchorsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

/** Paths of the repository that a Markdown text names in code, such as `src/config/settings.ts`. Patterns do not count. */
export const pathsIn = (markdown: string): string[] => [
  ...new Set(
    [
      ...markdown.matchAll(/`((?:src|test|docs|deploy|scripts|migrations|examples)\/(?:[\w-]+\/?)*(?:\.[\w.-]*\w)?)`/g),
    ].map(([, path = '']) => path),
  ),
];
