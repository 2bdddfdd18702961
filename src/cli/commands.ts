import type { INestApplicationContext } from '@nestjs/common';
import { allowlistsImport } from './allowlists.commands.js';
import { analyticsRebuild } from './analytics.commands.js';
import { auditVerify } from './audit.commands.js';
import { billingCouponCreate } from './billing.commands.js';
import { environmentsExport, environmentsImport, environmentsNewKey } from './environments.commands.js';
import { keysGenerate, keysRewrap, keysStatus } from './keys.commands.js';
import { ledgerVerify } from './ledger.commands.js';
import { listen } from './listen.command.js';
import { membersLink } from './members.commands.js';
import { organizationsCreate } from './organizations.commands.js';
import { promote } from './promote.commands.js';
import { screeningImport } from './screening.commands.js';
import { signingKeysRotate } from './signing-keys.commands.js';
import { trigger } from './trigger.command.js';
import { usersImport } from './users-import.command.js';
import { usersDuplicates, usersExport, usersUnlock, usersUnmerge } from './users.commands.js';

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
    words: 'keys rewrap',
    options: '[--retire]',
    about:
      'Move every sealed record under the current master key, from another vault as well. May be interrupted and run again. With --retire, have older keys retired where the vault can do that, such as older versions of a transit key.',
    run: keysRewrap,
  },
  {
    words: 'signing-keys rotate',
    options: '--environment <id> [--now]',
    about:
      'Publish the next token signing key of an environment, or start using the one published a day ago or earlier. With --now, for a key that was stolen: replace all keys at once, which ends every session.',
    run: signingKeysRotate,
  },
  {
    words: 'allowlists import',
    options: '--environment <id> --allowlist <id> --file <path>',
    about:
      'Put the people of a file on an allowlist: CSV whose first line names the fields of entries, or a JSON list of entries. Lines that are refused are named; run again, it adds what is missing.',
    run: allowlistsImport,
  },
  {
    words: 'screening import',
    options: '--file <path> [--smaller]',
    about:
      'Take a sanctions list that the OFAC has published (sdn.xml or sdn_advanced.xml) as the one that counts, with the digital currency addresses of every currency in it. --smaller allows a list with less than half of the addresses of the one before.',
    run: screeningImport,
  },
  {
    words: 'analytics rebuild',
    options: '--environment <id>',
    about:
      'Count the sessions and wallets of an environment anew, such as those from before an update that brought the figures. Visits stay as they were counted. Figures are low while it runs; interrupted, the service finishes it.',
    run: analyticsRebuild,
  },
  {
    words: 'audit verify',
    options: '[--organization <id> [--head <records>:<head>]]',
    about:
      'Check that every audit record is as it was written, of one organization or of all; exits with 1 if one is not. With the head that the log has of an hour, also that nothing before it was cut off or written anew.',
    run: auditVerify,
  },
  {
    words: 'ledger verify',
    options: '[--environment <id>] [--heads <file>]',
    about:
      'Check that every row of the ledger of keys is as it was written, and is the one that a file with earlier output of this command or of the log knows; exits with 1 if one is not.',
    run: ledgerVerify,
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
    about:
      'Create an organization, its owner and a project with a sandbox and a live environment. Prints a link that signs the owner in once, within ten minutes.',
    run: organizationsCreate,
  },
  {
    words: 'environments new-key',
    options: '--to <path>',
    about:
      'Make the key pair that the secrets of an exported environment are sealed to: the secret goes into a new file, and the public key is printed.',
    alone: environmentsNewKey,
  },
  {
    words: 'environments export',
    options: '<environment> (--plan | --to <path> --key <public key>)',
    about:
      'Write an environment into one archive: users with their credentials and passkeys, settings, gates and lists, wallets and other secrets sealed to the public key, webhooks without secrets. Says first what moves and what stays; with --plan, that alone.',
    run: environmentsExport,
  },
  {
    words: 'environments import',
    options: '<path> (--key <path of the secret> [--digest <digest>] [--owner <email>] | --discard)',
    about:
      'Take over an exported environment with its ids and addresses. An archive that was altered is refused before anything is written, with --digest also one that was replaced. May be interrupted and run again; until it is done, the environment is there for nobody. Members stay behind: --owner makes somebody the owner here, and prints a link that signs them in once, within ten minutes. --discard gives an interrupted import up.',
    run: environmentsImport,
  },
  {
    words: 'users import',
    options: '<path> --environment <id> [--report <path>]',
    about:
      'Take users over from another identity server: CSV with the names of fields, or JSON as Auth0, Okta, Keycloak, Cognito and Firebase write it. Who is refused is named, with --report in a new file; who is here already is left alone, so it may be interrupted and run again.',
    run: usersImport,
  },
  {
    words: 'users unmerge',
    options: '--environment <id> --user <id>',
    about:
      'Undo the last merge into a user, within seven days of it: the other user is back with what was theirs. Prints what cannot come back.',
    run: usersUnmerge,
  },
  {
    words: 'users duplicates',
    options: '--environment <id>',
    about: 'List the identifiers that more than one user holds. Nobody can sign in with such an identifier.',
    run: usersDuplicates,
  },
  {
    words: 'users export',
    options: '--environment <id> --user <id> --file <path>',
    about:
      'Write everything that is held about a person to a new file, as JSON that the person can read. What is sealed or hashed is left out.',
    run: usersExport,
  },
  {
    words: 'members link',
    options: '--organization <id> --email <email>',
    about:
      'Print a link that signs a member in once, within ten minutes, where no mail can be sent. It ends the link printed before.',
    run: membersLink,
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
      'Forward what happens in an environment from now on to an address of this machine, signed like a webhook with a secret that is printed and stays the same.',
    run: listen,
  },
  {
    words: 'trigger',
    options: '<event> --environment <id> [--webhook <id> | --forward <url>] [--secret <secret>]',
    about:
      'Send a sample of an event, marked as one: to an address of this machine, to one webhook, or, with neither, to where a running `listen` forwards, else to the webhooks that ask for it. Nothing is stored.',
    run: trigger,
  },
];

export const usage = (): string =>
  [
    'Usage: npm run cli -- <command>',
    '',
    ...COMMANDS.map(({ words, options, about }) => `  ${words} ${options}\n      ${about}`),
    '',
    '--help after a command says what it takes.',
  ].join('\n');

export const usageOf = ({ words, options, about }: Command): string =>
  `Usage: ${`npm run cli -- ${words} ${options}`.trim()}\n\n${about}`;
