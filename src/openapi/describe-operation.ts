import type { Operation } from './document-types.js';

function callerOf(operation: Operation): string {
  const scope = operation['x-token-scope'];
  const role = operation['x-least-role'];
  switch (operation['x-audience']) {
    case 'dashboard': {
      const member = role === 'viewer' ? 'any member' : `a member with the role \`${role}\` or above`;
      if (operation['x-any-token']) return `an API token, whatever its scopes, or ${member}`;
      return scope ? `an API token with the scope \`${scope}\`, or ${member}` : `${member}; API tokens are refused`;
    }
    case 'end-user':
      return 'a signed-in user of the environment';
    default:
      return 'anyone';
  }
}

function errorsOf(operation: Operation): string {
  const statuses = Object.keys(operation.responses).filter((status) => /^[45]/.test(status));
  return `${statuses.join(', ')} ([what the codes mean](/docs/errors))`;
}

/** What callers need to know, as Markdown below the operation's own description. */
export function describeOperation(operation: Operation): string {
  const limits = operation['x-limits'] ?? [];
  const events = operation['x-events'] ?? [];
  const facts = [
    `**Caller:** ${callerOf(operation)}`,
    `**Errors:** ${errorsOf(operation)}`,
    ...(limits.length ? [`**Limits:** ${limits.join('; ')}`] : []),
    ...(operation['x-no-head'] ? ['**HEAD:** refused with 405, since this GET has an effect'] : []),
    `**Events:** ${events.map((name) => `\`${name}\``).join(', ') || 'none'}`,
  ];
  return [...(operation.description ? [operation.description] : []), facts.map((fact) => `- ${fact}`).join('\n')].join(
    '\n\n',
  );
}
