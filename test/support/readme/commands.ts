/** A fenced Markdown block. */
export interface Fence {
  readonly language: string;
  /** The text after the language, for instance the file that a block is taken from. */
  readonly source: string;
  readonly text: string;
  /** Line number of the opening fence, from 1. */
  readonly line: number;
}

/** Fenced blocks of a Markdown text, in order. Those of language `sh` are commands that a reader may paste. */
export function fencesOf(markdown: string): Fence[] {
  return [...markdown.matchAll(/^```(\w*)[ \t]*([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = '', source = '', text = ''] = match;
    return { language, source, text, line: markdown.slice(0, match.index).split('\n').length };
  });
}

/** Scripts of package.json that a Markdown text tells its reader to run, in blocks or in prose. */
export const scriptsIn = (markdown: string): string[] => [
  ...new Set(
    [...markdown.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(([, run, short]) => run ?? short ?? ''),
  ),
];

/** Relative links of a Markdown text: the path, and the anchor if any. */
export const linksIn = (markdown: string): { path: string; anchor: string }[] =>
  [...markdown.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => ({ path: target.replace(/#.*$/, ''), anchor: /#(.*)$/.exec(target)?.[1] ?? '' }));

/** The anchors of a Markdown text's headings. */
export const anchorsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

/** Repository paths in a Markdown text's code spans, such as `src/config/settings.ts`. Glob patterns do not count. */
export const pathsIn = (markdown: string): string[] => [
  ...new Set(
    [
      ...markdown.matchAll(/`((?:src|test|docs|deploy|scripts|migrations|examples)\/(?:[\w-]+\/?)*(?:\.[\w.-]*\w)?)`/g),
    ].map(([, path = '']) => path),
  ),
];
