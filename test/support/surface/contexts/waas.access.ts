import type { Surface } from '../surface.js';

/** Members have no API token to exchange. */
const MEMBERS = [
  'a personal token of a developer',
  'a personal token of an admin',
  'a personal token of an owner',
  'a session of a developer',
  'a session of an admin',
  'a session of an owner',
  "the owner's session of the console",
  "the owner's session of the console, in its minified form",
];
const untold = 'It makes a token that nothing is kept of.';

export const surface: Surface = {
  operations: {
    authenticateWaas: {
      callers: Object.fromEntries(MEMBERS.map((member) => [member, [403] as const])),
      untold,
      unrecorded: untold,
    },
    verifyApiKey: {
      callers: {
        'an API token with every scope but the needed one': 'success',
        'an API token with exactly the needed scope': 'success',
        "an API token of the project's other environment": [404],
        'an API token of another organization': [404],
      },
      untold: 'It reads.',
      unrecorded: 'It reads.',
    },
  },
};
