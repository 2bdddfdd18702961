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
    about: 'Count the sealed records that still use an older master key.',
    run: async (app, words) => (await import('./keys.commands.js')).keysStatus(app, words),
  },
  {
    words: 'keys rewrap',
    options: '[--retire]',
    about:
      'Move every sealed record to the current master key, also from another vault. Can be interrupted and run again. With --retire, also disable older keys if the vault supports it, such as older versions of a transit key.',
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
      'Add the people in a file to an allowlist: CSV with the names of entry fields in the first line, or a JSON list of entries. Rejected lines are reported; running it again adds what is missing.',
    run: async (app, words) => (await import('./allowlists.commands.js')).allowlistsImport(app, words),
  },
  {
    words: 'screening import',
    options: '--file <path> [--smaller]',
    about:
      'Put a sanctions list published by OFAC (sdn.xml or sdn_advanced.xml) in force, with the digital currency addresses of every currency in it. --smaller allows a list with fewer than half as many addresses as the previous one.',
    run: async (app, words) => (await import('./screening.commands.js')).screeningImport(app, words),
  },
  {
    words: 'analytics rebuild',
    options: '--environment <id>',
    about:
      'Recount the sessions and wallets of an environment, including those from before an update that introduced a statistic. Visits are not recounted. Numbers are too low while it runs; if it is interrupted, the service finishes it.',
    run: async (app, words) => (await import('./analytics.commands.js')).analyticsRebuild(app, words),
  },
  {
    words: 'analytics clients',
    options: '--environment <id>',
    about:
      'Show what client pages of an environment report: the settings of the last report (logSdkSettings), and event names with their count in 90 days and the last day (publishEvent). Anyone can send these, so do not trust them.',
    run: async (app, words) => (await import('./analytics.commands.js')).analyticsClients(app, words),
  },
  {
    words: 'audit verify',
    options: '[--organization <id> [--head <records>:<head>]]',
    about:
      'Check that no audit record of one or all organizations was altered; exits with 1 if one was. With a head from the log, also check that no earlier record was cut off or rewritten.',
    run: async (app, words) => (await import('./audit.commands.js')).auditVerify(app, words),
  },
  {
    words: 'ledger verify',
    options: '[--environment <id>] [--heads <file>]',
    about:
      'Check that no row of the key ledger was altered and, with a file of earlier output of this command or of log lines, that the ledger still matches it; exits with 1 if not.',
    run: async (app, words) => (await import('./ledger.commands.js')).ledgerVerify(app, words),
  },
  {
    words: 'billing coupon create',
    options:
      '--code <code> [--trial-days <days>] [--percent-off <percent>] [--max-redemptions <number>] [--expires <time>]',
    about: 'Create a coupon that owners can redeem, once per organization.',
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
      'Create the key pair to which the secrets of an exported environment are encrypted: the secret key is written to a new file, and the public key is printed.',
    alone: async (words) => (await import('./environments.commands.js')).environmentsNewKey(words),
  },
  {
    words: 'environments export',
    options: '<environment> (--plan | --to <path> --key <public key>)',
    about:
      'Write an environment to one archive: users with their credentials and passkeys, settings, gates and lists, wallets and other secrets encrypted to the public key, webhooks without secrets. First shows what moves and what stays; with --plan, does only that.',
    run: async (app, words) => (await import('./environments.commands.js')).environmentsExport(app, words),
  },
  {
    words: 'environments import',
    options: '<path> (--key <path of the secret> [--digest <digest>] [--owner <email>] | --discard)',
    about:
      'Import an exported environment with its ids and addresses. An altered archive is rejected before anything is written, with --digest also one that was replaced. Can be interrupted and run again; until it is done, nobody can use the environment. Members are not moved: --owner makes someone the owner here, and prints a link that signs them in once, within ten minutes. --discard abandons an interrupted import.',
    run: async (app, words) => (await import('./environments.commands.js')).environmentsImport(app, words),
  },
  {
    words: 'users import',
    options: '<path> --environment <id> [--report <path>]',
    about:
      'Import users from another identity server: CSV with field names, or JSON as exported by Auth0, Okta, Keycloak, Cognito and Firebase. Rejected users are listed, with --report in a new file; existing users are skipped, so it can be interrupted and run again.',
    run: async (app, words) => (await import('./users-import.command.js')).usersImport(app, words),
  },
  {
    words: 'users unmerge',
    options: '--environment <id> --user <id>',
    about:
      'Undo the last merge into a user, within seven days: the other user is restored with everything that was theirs. Prints what cannot be restored.',
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
      'Merge two users who hold the same identifier, so that it can be used to sign in again. Shows what they share, what each of them has proven and where their values differ; with --confirm, merges --from into --user, keeping the values of --keep where they differ. users unmerge undoes it.',
    run: async (app, words) => (await import('./users.commands.js')).usersMerge(app, words),
  },
  {
    words: 'users export',
    options: '--environment <id> --user <id> --file <path>',
    about:
      'Write everything stored about a person to a new file, as readable JSON. Sealed and hashed values are left out.',
    run: async (app, words) => (await import('./users.commands.js')).usersExport(app, words),
  },
  {
    words: 'members link',
    options: '--organization <id> --email <email>',
    about:
      'Print a link that signs a member in once, within ten minutes, for when no mail can be sent. It invalidates the previous link.',
    run: async (app, words) => (await import('./members.commands.js')).membersLink(app, words),
  },
  {
    words: 'users unlock',
    options: '--environment <id> (--email <address> | --phone <number> | --user <id>)',
    about:
      'End all waits after wrong codes immediately: for one-time codes of an address or a number, on all networks, and for the second factors and recovery codes of its user, and the lock after too many failed key ceremonies.',
    run: async (app, words) => (await import('./users.commands.js')).usersUnlock(app, words),
  },
  {
    words: 'promote',
    options: '--from <id> --to <id> [--prune] [--except <paths>] (--plan | --apply <plan file or digest>)',
    about:
      'Make an environment match another one. --plan prints what would change, and writes nothing; --apply makes exactly these changes, or none if either environment has changed since. With a plan file, --apply needs no other options.',
    run: async (app, words) => (await import('./promote.commands.js')).promote(app, words),
  },
  {
    words: 'webhooks replay',
    options:
      '--environment <id> --webhook <id> --messages <failed|missing|all> --start-date <time> [--end-date <time>] [--detach]',
    about:
      'Resend messages of a webhook, as a member could: those that failed, those that were never created, or all of a period. Running instances do the work, and this command reports their progress; if it is interrupted, run it again with the same options. With --detach it only starts the replay.',
    run: async (app, words) => (await import('./webhooks.commands.js')).webhooksReplay(app, words),
  },
  {
    words: 'listen',
    options: '--environment <id> --forward <url> [--events <names>] [--secret <secret>]',
    about:
      'Forward new events of an environment to an address on this machine, signed like a webhook with a secret that is printed and stays the same.',
    run: async (app, words) => (await import('./listen.command.js')).listen(app, words),
  },
  {
    words: 'trigger',
    options: '<event> --environment <id> [--webhook <id> | --forward <url>] [--secret <secret>]',
    about:
      'Send a sample of an event, marked as such: to an address on this machine, to one webhook or, with neither, to where a running `listen` forwards, or else to the webhooks subscribed to it. Nothing is stored.',
    run: async (app, words) => (await import('./trigger.command.js')).trigger(app, words),
  },
];

export const usage = (): string =>
  [
    'Usage: npm run cli -- <command>',
    '',
    ...COMMANDS.map(({ words, options, about }) => `  ${words} ${options}\n      ${about}`),
    '',
    'Add --help after a command to see its options.',
  ].join('\n');

export const usageOf = ({ words, options, about }: Command): string =>
  `Usage: ${`npm run cli -- ${words} ${options}`.trim()}\n\n${about}`;
