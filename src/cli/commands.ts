import type { INestApplicationContext } from '@nestjs/common';
import { auditVerify } from './audit.commands.js';
import { billingCouponCreate } from './billing.commands.js';
import { keysGenerate, keysRotate, keysStatus } from './keys.commands.js';
import { listen } from './listen.command.js';
import { organizationsCreate } from './organizations.commands.js';
import { promote } from './promote.commands.js';
import { signingKeysRotate } from './signing-keys.commands.js';
import { trigger } from './trigger.command.js';
import { usersUnlock } from './users.commands.js';

export interface Command {
  words: string;
  options: string;
  about: string;
  /** Runs without the application. */
  alone?: (words: string[]) => Promise<void>;
  run?: (app: INestApplicationContext, words: string[]) => Promise<void>;
}

/** Everything `npm run cli -- …` can do. */
export const COMMANDS: readonly Command[] = [
  {
    words: 'keys generate',
    options: '',
    about: 'Print a new master key. Put it first in MASTER_KEY to make it the current one.',
    alone: keysGenerate,
  },
  {
    words: 'keys status',
    options: '',
    about: 'Count the sealed records that are still under an older master key.',
    run: keysStatus,
  },
  {
    words: 'keys rotate',
    options: '',
    about: 'Move every sealed record under the current master key. May be interrupted and run again.',
    run: keysRotate,
  },
  {
    words: 'signing-keys rotate',
    options: '--environment <id>',
    about:
      'Publish the next token signing key of an environment, or start using the one published a day ago or earlier.',
    run: signingKeysRotate,
  },
  {
    words: 'audit verify',
    options: '[--organization <id> [--head <records>:<head>]]',
    about:
      'Check that every audit record is as it was written, of one organization or of all; exits with 1 if one is not. With the head that the log has of an hour, also that nothing before it was cut off or written anew.',
    run: auditVerify,
  },
  {
    words: 'billing coupon create',
    options:
      '--code <code> [--trial-days <days>] [--percent-off <percent>] [--max-redemptions <number>] [--expires <time>]',
    about: 'Make a coupon that owners of organizations can redeem, each organization once.',
    run: billingCouponCreate,
  },
  {
    words: 'organizations create',
    options: '--name <name> --owner <email> [--project <name>]',
    about: 'Create an organization, its owner and a project with a sandbox and a live environment.',
    run: organizationsCreate,
  },
  {
    words: 'users unlock',
    options: '--environment <id> (--email <address> | --phone <number>)',
    about: 'End every wait for one-time codes of an address or a number, at once and for all networks.',
    run: usersUnlock,
  },
  {
    words: 'promote',
    options: '--from <id> --to <id> [--prune] [--except <paths>] (--plan | --apply <plan file or digest>)',
    about:
      'Bring an environment in line with another one. --plan prints what would change, and writes nothing; --apply makes exactly these changes, or none if an environment has changed since. Of a plan in a file, --apply needs nothing else.',
    run: promote,
  },
  {
    words: 'listen',
    options: '--environment <id> --forward <url> [--events <names>] [--secret <secret>]',
    about:
      'Forward what happens in an environment from now on to an address of this machine, signed like a webhook with a secret that is printed.',
    run: listen,
  },
  {
    words: 'trigger',
    options: '<event> --environment <id> [--webhook <id> | --forward <url> [--secret <secret>]]',
    about:
      'Send a sample of an event, marked as one, to the webhooks that ask for it, to one webhook, or to an address of this machine. Nothing is stored.',
    run: trigger,
  },
];

export const usage = (): string =>
  [
    'Usage: npm run cli -- <command>',
    '',
    ...COMMANDS.map(({ words, options, about }) => `  ${words} ${options}\n      ${about}`),
  ].join('\n');
