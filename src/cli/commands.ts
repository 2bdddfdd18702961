import type { INestApplicationContext } from '@nestjs/common';

export interface Command {
  words: string;
  options: string;
  about: string;
  /** Runs without the application. */
  alone?: (words: string[]) => Promise<void>;
  run?: (app: INestApplicationContext, words: string[]) => Promise<void>;
}

/** Every `npm run cli -- …` command. Modules are loaded when a command runs, since most of them load the whole service. */
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
    about: 'Count the sealed records still encrypted under an older master key.',
    run: async (app, words) => (await import('./keys.commands.js')).keysStatus(app, words),
  },
  {
    words: 'keys rewrap',
    options: '[--retire]',
    about:
      'Rewrap every sealed record under the current master key, including records sealed by another vault. Can be interrupted and rerun. With --retire, also retire older keys where the vault supports it, such as older versions of a transit key.',
    run: async (app, words) => (await import('./keys.commands.js')).keysRewrap(app, words),
  },
  {
    words: 'signing-keys rotate',
    options: '--environment <id> [--now]',
    about:
      'Publish the next token signing key of an environment, or start using the one published at least a day ago. With --now, for a stolen key: replace all keys at once, which ends every session.',
    run: async (app, words) => (await import('./signing-keys.commands.js')).signingKeysRotate(app, words),
  },
  {
    words: 'allowlists import',
    options: '--environment <id> --allowlist <id> --file <path>',
    about:
      'Add the people in a file to an allowlist: CSV with field names in the first line, or a JSON list of entries. Refused lines are reported. Can be rerun: it adds what is missing.',
    run: async (app, words) => (await import('./allowlists.commands.js')).allowlistsImport(app, words),
  },
  {
    words: 'screening import',
    options: '--file <path> [--smaller]',
    about:
      'Put a sanctions list published by OFAC (sdn.xml or sdn_advanced.xml) into force, with its digital currency addresses in every currency. --smaller accepts a list with less than half as many addresses as the previous one.',
    run: async (app, words) => (await import('./screening.commands.js')).screeningImport(app, words),
  },
  {
    words: 'analytics rebuild',
    options: '--environment <id>',
    about:
      'Recount the sessions and wallets of an environment, for example those from before the update that added the figures. Visit counts are kept. Figures are too low while it runs; if it is interrupted, the service finishes it.',
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
      'Check that no audit record of one organization, or of all, has been altered; exits with 1 otherwise. With a head from the hourly log line, also check that nothing before it was removed or rewritten.',
    run: async (app, words) => (await import('./audit.commands.js')).auditVerify(app, words),
  },
  {
    words: 'ledger verify',
    options: '[--environment <id>] [--heads <file>]',
    about:
      'Check that no row of the key ledger has been altered; exits with 1 otherwise. With --heads, also compare it with a file of earlier output of this command or of log lines.',
    run: async (app, words) => (await import('./ledger.commands.js')).ledgerVerify(app, words),
  },
  {
    words: 'billing coupon create',
    options:
      '--code <code> [--trial-days <days>] [--percent-off <percent>] [--max-redemptions <number>] [--expires <time>]',
    about: 'Create a coupon that organization owners can redeem, once per organization.',
    run: async (app, words) => (await import('./billing.commands.js')).billingCouponCreate(app, words),
  },
  {
    words: 'organizations create',
    options: '--name <name> --owner <email> [--project <name>]',
    about:
      'Create an organization, its owner and a project with a sandbox and a live environment. Prints a single-use sign-in link for the owner, which expires after ten minutes.',
    run: async (app, words) => (await import('./organizations.commands.js')).organizationsCreate(app, words),
  },
  {
    words: 'environments new-key',
    options: '--to <path>',
    about:
      'Generate the key pair that the secrets of an exported environment are encrypted to: the private key goes into a new file, and the public key is printed.',
    alone: async (words) => (await import('./environments.commands.js')).environmentsNewKey(words),
  },
  {
    words: 'environments export',
    options: '<environment> (--plan | --to <path> --key <public key>)',
    about:
      'Export an environment to one archive: users with their credentials and passkeys, settings, gates and lists, wallets and other secrets encrypted to the public key, webhooks without secrets. First lists what moves and what stays; with --plan, does only that.',
    run: async (app, words) => (await import('./environments.commands.js')).environmentsExport(app, words),
  },
  {
    words: 'environments import',
    options: '<path> (--key <path of the private key> [--digest <digest>] [--owner <email>] | --discard)',
    about:
      'Import an exported environment, keeping its ids and addresses. An altered archive is refused before anything is written, and with --digest so is a replaced one. Can be interrupted and rerun; until it is complete, nobody can use the environment. Members are not imported: --owner appoints an owner here and prints a single-use sign-in link, which expires after ten minutes. --discard abandons an interrupted import.',
    run: async (app, words) => (await import('./environments.commands.js')).environmentsImport(app, words),
  },
  {
    words: 'users import',
    options: '<path> --environment <id> [--report <path>]',
    about:
      'Import users from another identity server: CSV with field names in the first line, or JSON as exported by Auth0, Okta, Keycloak, Cognito and Firebase. Refused users are listed, with --report in a new file. Existing users are left alone, so it can be interrupted and rerun.',
    run: async (app, words) => (await import('./users-import.command.js')).usersImport(app, words),
  },
  {
    words: 'users unmerge',
    options: '--environment <id> --user <id>',
    about:
      'Undo the last merge into a user, within seven days: the other user is restored with what was theirs. Prints what cannot be restored.',
    run: async (app, words) => (await import('./users.commands.js')).usersUnmerge(app, words),
  },
  {
    words: 'users duplicates',
    options: '--environment <id>',
    about: 'List the identifiers held by more than one user. Nobody can sign in with such an identifier.',
    run: async (app, words) => (await import('./users.commands.js')).usersDuplicates(app, words),
  },
  {
    words: 'users merge',
    options: '--environment <id> --user <id> --from <id> [--keep <id>] [--confirm]',
    about:
      'Merge two users who hold the same identifier, so that its owner can sign in with it again. Shows what they share, the verified credentials of each and where their values differ. With --confirm, merges the user --from into --user; where values differ, those of --keep remain. users unmerge undoes it.',
    run: async (app, words) => (await import('./users.commands.js')).usersMerge(app, words),
  },
  {
    words: 'users export',
    options: '--environment <id> --user <id> --file <path>',
    about:
      'Export everything held about a user to a new file, as human-readable JSON. Sealed and hashed values are left out.',
    run: async (app, words) => (await import('./users.commands.js')).usersExport(app, words),
  },
  {
    words: 'members link',
    options: '--organization <id> --email <email>',
    about:
      'Print a single-use sign-in link for a member, for when no mail can be sent. It expires after ten minutes and replaces the previous link.',
    run: async (app, words) => (await import('./members.commands.js')).membersLink(app, words),
  },
  {
    words: 'users unlock',
    options: '--environment <id> (--email <address> | --phone <number> | --user <id>)',
    about:
      'Lift every lockout after wrong codes: for the one-time codes of an email address or phone number, on all networks at once, and for the second factors and recovery codes of its user, and the lock after too many failed key ceremonies.',
    run: async (app, words) => (await import('./users.commands.js')).usersUnlock(app, words),
  },
  {
    words: 'promote',
    options: '--from <id> --to <id> [--prune] [--except <paths>] (--plan | --apply <plan file or digest>)',
    about:
      'Bring an environment in line with another one. --plan prints what would change and writes nothing; --apply makes exactly these changes, or none if either environment has changed since. With a plan file, --apply needs no other option.',
    run: async (app, words) => (await import('./promote.commands.js')).promote(app, words),
  },
  {
    words: 'webhooks replay',
    options:
      '--environment <id> --webhook <id> --messages <failed|missing|all> --start-date <time> [--end-date <time>] [--detach]',
    about:
      'Replay messages of a webhook, as a member can in the API: those that failed, those that were never created, or all in a period. Running instances do the work while this command shows their progress; if it is interrupted, rerun it with the same options. With --detach it starts the replay and returns.',
    run: async (app, words) => (await import('./webhooks.commands.js')).webhooksReplay(app, words),
  },
  {
    words: 'listen',
    options: '--environment <id> --forward <url> [--events <names>] [--secret <secret>]',
    about:
      'Forward new events of an environment to an address on this machine, signed like webhook messages. The signing secret is printed and stays the same.',
    run: async (app, words) => (await import('./listen.command.js')).listen(app, words),
  },
  {
    words: 'trigger',
    options: '<event> --environment <id> [--webhook <id> | --forward <url>] [--secret <secret>]',
    about:
      'Send a sample event, marked as a sample: to an address on this machine, to one webhook, or, with neither, to the address a running `listen` forwards to, else to the webhooks subscribed to it. Nothing is stored.',
    run: async (app, words) => (await import('./trigger.command.js')).trigger(app, words),
  },
];

/** @param commands all of them, or those of one group */
export const usage = (commands: readonly Command[] = COMMANDS): string =>
  [
    'Usage: npm run cli -- <command>',
    '',
    ...commands.map(({ words, options, about }) => `  ${words} ${options}\n      ${about}`),
    '',
    'Add --help to a command to see its options.',
  ].join('\n');

export const usageOf = ({ words, options, about }: Command): string =>
  `Usage: ${`npm run cli -- ${words} ${options}`.trim()}\n\n${about}`;
