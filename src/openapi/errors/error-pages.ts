import type { ErrorDefinition } from '../../common/errors/index.js';
import { exampleOf } from './error-examples.js';

/** The address of these pages on a service with default settings. */
const LOCAL_PAGES = 'http://localhost:3000/docs/errors';

const errorFile = (error: ErrorDefinition): string => `# ${error.code}

**${error.status}** · ${error.message}

## When it happens

${error.cause}

## What to do

${error.fix}

## Example

\`\`\`json
${JSON.stringify(exampleOf(error, LOCAL_PAGES), null, 2)}
\`\`\`
`;

const indexFile = (errors: readonly ErrorDefinition[]): string => `# Errors

Every error has a stable \`code\`, a sentence for people in \`error\`, and a \`docUrl\` to the page that the service itself
serves under \`/docs/errors\`. Where a 403 comes from an operation that issues or changes a session, \`error\` is an object
with \`code\` and \`message\` instead; the other fields are the same. These files are generated from the same definitions by
\`npm run openapi:write\`.

${errors.map(({ code, status, message }) => `- [${code}](${code}.md) (${status}): ${message}`).join('\n')}
`;

/** The committed pages by file name: one for each error, and a list of all. */
export function errorFiles(errors: readonly ErrorDefinition[]): Map<string, string> {
  const pages = errors.map((error) => [`${error.code}.md`, errorFile(error)] as const);
  return new Map([['README.md', indexFile(errors)], ...pages]);
}
