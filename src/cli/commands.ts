import type { INestApplicationContext } from '@nestjs/common';

export interface Command {
  words: string;
  options: string;
  about: string;
  /** Runs without the application. */
  alone?: (words: string[]) => Promise<void>;
  run?: (app: INestApplicationContext, words: string[]) => Promise<void>;
}

/** Everything `npm run cli -- …` can do. What a command needs is loaded when it runs: most of it is the whole service. */
export const COMMANDS: readonly Command[] = [
  {
    words: 'keys generate',
    options: '',
    about: 'Print a new master key. Put it first in MASTER_KEY to make it the current one.',
    alone: async (words) => (await import('./keys.commands.js')).keysGenerate(words),
  },
  {
    words: 'keys status',
    options: '',
    about: 'Count the sealed records that are still under an older master key.',
    run: async (app, words) => (await import('./keys.commands.js')).keysStatus(app, words),
  },
  {
    words: 'keys rewrap',
    options: '[--retire]',
    about:
      'Move every sealed record under the current master key, from another vault as well. May be interrupted and run again. With --retire, have older keys retired where the vault can do that, such as older versions of a transit key.',
    run: async (app, words) => (await import('./keys.commands.js')).keysRewrap(app, words),
  },
  {
    words: 'signing-keys rotate',
    options: '--environment <id> [--now]',
    about:
      'Publish the next token signing key of an environment, or start using the one published a day ago or earlier. With --now, for a key that was stolen: replace all keys at once, which ends every session.',
    run: async (app, words) => (await import('./signing-keys.commands.js')).signingKeysRotate(app, words),
  },
  {
    words: 'allowlists import',
    options: '--environment <id> --allowlist <id> --file <path>',
    about:
      'Put the people of a file on an allowlist: CSV whose first line names the fields of entries, or a JSON list of entries. Lines that are refused are named; run again, it adds what is missing.',
    run: async (app, words) => (await import('./allowlists.commands.js')).allowlistsImport(app, words),
  },
  {
    words: 'screening import',
    options: '--file <path> [--smaller]',
    about:
      'Take a sanctions list that the OFAC has published (sdn.xml or sdn_advanced.xml) as the one that counts, with the digital currency addresses of every currency in it. --smaller allows a list with less than half of the addresses of the one before.',
    run: async (app, words) => (await import('./screening.commands.js')).screeningImport(app, words),
  },
  {
    words: 'analytics rebuild',
    options: '--environment <id>',
    about:
      'Count the sessions and wallets of an environment anew, such as those from before an update that brought the figures. Visits stay as they were counted. Figures are low while it runs; interrupted, the service finishes it.',
    run: async (app, words) => (await import('./analytics.commands.js')).analyticsRebuild(app, words),
  },
  {
    words: 'analytics clients',
    options: '--environment <id>',
    about:
      'Show what pages of an environment say: the settings that one of them ran with last (logSdkSettings), and what happened there by name, with how often in 90 days and the last day (publishEvent). Nobody vouches for it.',
    run: async (app, words) => (await import('./analytics.commands.js')).analyticsClients(app, words),
  },
  {
    words: 'audit verify',
    options: '[--organization <id> [--head <records>:<head>]]',
    about:
      'Check that every audit record is as it was written, of one organization or of all; exits with 1 if one is not. With the head that the log has of an hour, also that nothing before it was cut off or written anew.',
    run: async (app, words) => (await import('./audit.commands.js')).auditVerify(app, words),
  },
  {
    words: 'ledger verify',
    options: '[--environment <id>] [--heads <file>]',
    about:
      'Check that every row of the ledger of keys is as it was written, and is the one that a file with earlier output of this command or of the log knows; exits with 1 if one is not.',
    run: async (app, words) => (await import('./ledger.commands.js')).ledgerVerify(app, words),
  },
  {
    words: 'billing coupon create',
    options:
      '--code <code> [--trial-days <days>] [--percent-off <percent>] [--max-redemptions <number>] [--expires <time>]',
    about: 'Make a coupon that owners of organizations can redeem, each organization once.',
    run: async (app, words) => (await import('./billing.commands.js')).billingCouponCreate(app, words),
  },
  {
    words: 'organizations create',
    options: '--name <name> --owner <email> [--project <name>]',
    about:
      'Create an organization, its owner and a project with a sandbox and a live environment. Prints a link that signs the owner in once, within ten minutes.',
    run: async (app, words) => (await import('./organizations.commands.js')).organizationsCreate(app, words),
  },
  {
    words: 'environments new-key',
    options: '--to <path>',
    about:
      'Make the key pair that the secrets of an exported environment are sealed to: the secret goes into a new file, and the public key is printed.',
    alone: async (words) => (await import('./environments.commands.js')).environmentsNewKey(words),
  },
  {
    words: 'environments export',
    options: '<environment> (--plan | --to <path> --key <public key>)',
    about:
      'Write an environment into one archive: users with their credentials and passkeys, settings, gates and lists, wallets and other secrets sealed to the public key, webhooks without secrets. Says first what moves and what stays; with --plan, that alone.',
    run: async (app, words) => (await import('./environments.commands.js')).environmentsExport(app, words),
  },
  {
    words: 'environments import',
    options: '<path> (--key <path of the secret> [--digest <digest>] [--owner <email>] | --discard)',
    about:
      'Take over an exported environment with its ids and addresses. An archive that was altered is refused before anything is written, with --digest also one that was replaced. May be interrupted and run again; until it is done, the environment is there for nobody. Members stay behind: --owner makes somebody the owner here, and prints a link that signs them in once, within ten minutes. --discard gives an interrupted import up.',
    run: async (app, words) => (await import('./environments.commands.js')).environmentsImport(app, words),
  },
  {
    words: 'users import',
    options: '<path> --environment <id> [--report <path>]',
    about:
      'Take users over from another identity server: CSV with the names of fields, or JSON as Auth0, Okta, Keycloak, Cognito and Firebase write it. Who is refused is named, with --report in a new file; who is here already is left alone, so it may be interrupted and run again.',
    run: async (app, words) => (await import('./users-import.command.js')).usersImport(app, words),
  },
  {
    words: 'users unmerge',
    options: '--environment <id> --user <id>',
    about:
      'Undo the last merge into a user, within seven days of it: the other user is back with what was theirs. Prints what cannot come back.',
    run: async (app, words) => (await import('./users.commands.js')).usersUnmerge(app, words),
  },
  {
    words: 'users duplicates',
    options: '--environment <id>',
    about: 'List the identifiers that more than one user holds. Nobody can sign in with such an identifier.',
    run: async (app, words) => (await import('./users.commands.js')).usersDuplicates(app, words),
  },
  {
    words: 'users merge',
    options: '--environment <id> --user <id> --from <id> [--keep <id>] [--confirm]',
    about:
      'Make one user of two who hold the same identifier, so that it signs its owner in again. Shows what they share, by what each of them is proven and where their values differ; with --confirm, the user --from becomes part of --user, where they differ with the values of --keep. users unmerge undoes it.',
    run: async (app, words) => (await import('./users.commands.js')).usersMerge(app, words),
  },
  {
    words: 'users export',
    options: '--environment <id> --user <id> --file <path>',
    about:
      'Write everything that is held about a person to a new file, as JSON that the person can read. What is sealed or hashed is left out.',
    run: async (app, words) => (await import('./users.commands.js')).usersExport(app, words),
  },
  {
    words: 'members link',
    options: '--organization <id> --email <email>',
    about:
      'Print a link that signs a member in once, within ten minutes, where no mail can be sent. It ends the link printed before.',
    run: async (app, words) => (await import('./members.commands.js')).membersLink(app, words),
  },
  {
    words: 'users unlock',
    options: '--environment <id> (--email <address> | --phone <number> | --user <id>)',
    about:
      'End every wait after wrong codes: for one-time codes of an address or a number, at once and for all networks, for the second factors and recovery codes of its user, and for ceremonies after too many that were given up.',
    run: async (app, words) => (await import('./users.commands.js')).usersUnlock(app, words),
  },
  {
    words: 'promote',
    options: '--from <id> --to <id> [--prune] [--except <paths>] (--plan | --apply <plan file or digest>)',
    about:
      'Bring an environment in line with another one. --plan prints what would change, and writes nothing; --apply makes exactly these changes, or none if an environment has changed since. Of a plan in a file, --apply needs nothing else.',
    run: async (app, words) => (await import('./promote.commands.js')).promote(app, words),
  },
  {
    words: 'webhooks replay',
    options:
      '--environment <id> --webhook <id> --messages <failed|missing|all> --start-date <time> [--end-date <time>] [--detach]',
    about:
      'Send messages of a webhook again, as a member would have it done: those that failed, those that were never made, or all of a time. Instances that run do it, and this says how far they are; interrupted, it is run again with the same options. With --detach it only begins.',
    run: async (app, words) => (await import('./webhooks.commands.js')).webhooksReplay(app, words),
  },
  {
    words: 'listen',
    options: '--environment <id> --forward <url> [--events <names>] [--secret <secret>]',
    about:
      'Forward what happens in an environment from now on to an address of this machine, signed like a webhook with a secret that is printed and stays the same.',
    run: async (app, words) => (await import('./listen.command.js')).listen(app, words),
  },
  {
    words: 'trigger',
    options: '<event> --environment <id> [--webhook <id> | --forward <url>] [--secret <secret>]',
    about:
      'Send a sample of an event, marked as one: to an address of this machine, to one webhook, or, with neither, to where a running `listen` forwards, else to the webhooks that ask for it. Nothing is stored.',
    run: async (app, words) => (await import('./trigger.command.js')).trigger(app, words),
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
