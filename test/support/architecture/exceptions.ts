/** Entities whose rows belong to no tenant or to several, and why. */
export const UNSCOPED_ENTITIES: Record<string, string> = {
  ServiceSecret: 'belongs to the deployment: the pepper of one-time codes and its like',
  CouponRow: 'belongs to the operator, who gives coupons to any organization',
  SanctionsListRow: 'belongs to the deployment: the sanctions list that its operator imports, the same for everybody',
  DeploymentBudget: 'belongs to the deployment: the emails of an hour, of whichever environment',
  ScheduledJob: 'belongs to the deployment: when each of its jobs is due',
  ProviderEventRow: 'belongs to the deployment: which messages of the payment provider were dealt with',
  Environment: 'is the scope itself; its own id is what other rows carry',
  Organization: 'is the scope itself; its own id is what other rows carry',
};

/** Files with context that is not passed as an argument, and why. */
export const HIDDEN_CONTEXT: Record<string, string> = {
  'src/common/cause.ts': 'the request that work was caused by: for log lines, traces and the record of an event',
  'src/patches/tick-shape.ts': 'an object of a tick, which it keeps and never reads',
};

/** Functions called by operations with `idempotent: true` that use a separate transaction, and why. */
export const OWN_UNITS: Record<string, string> = {
  'WalletScreening.tell': 'a refused wallet is told of although the call that is refused leaves nothing',
  'EnvironmentsProvisioner.createConsole': 'belongs to the deployment: made once, whoever comes first',
};

/** The maximum number of cross-tenant statements in `src`. It only shrinks: a new one must replace an old one. */
export const MOST_SYSTEM_STATEMENTS = 43;

/** Controllers that serve pages for people, outside of the API, and why. */
export const PAGE_CONTROLLERS: Record<string, string> = {
  AssetsController: 'style and script of the pages',
  CatcherController: 'a receiver to try webhooks with, in development',
  DevelopmentAppController: 'an application to try sign-in with, in development',
  DocsController: 'the document of the API, for people',
  ErrorPagesController: 'a page for each error code',
  ExportDownloadsController: 'where the one-time address of a file leads',
  FrontController: 'the way to everything that there is in development',
  HealthController: 'for balancers and orchestrators',
  IdentityController: 'a provider of identities, in development',
  ImitatedMessagingController: 'the messaging network as development imitates it',
  InvitePageController: 'where the emailed link of an invite leads',
  InboxController: 'what would have been mailed, in development',
  MailsController: 'what mails look like, in development',
  SignInLinkController: 'where the one-time link of a member leads',
  StripeMessagesController: 'messages of the payment provider, signed over their bytes',
};

/** Dashboard operations on a record without a tenant in the path or an owner to look up, by id, and why. */
export const OPERATIONS_WITHOUT_OWNER: Record<string, string> = {
  getAllTokensByChain: 'The path names a chain. The token lists are those of the deployment and belong to no tenant.',
  deleteUserApiToken: 'the token belongs to the caller, whose id its statement binds',
  updateInvite: 'the invite belongs to whoever owns its address, which its statement binds',
};

/** Parts of `common`, by path prefix, that may have fewer than two users, and why they stay there. */
export const COMMON_FOR_ONE: Record<string, string> = {
  'src/common/fields/': 'the one vocabulary of requests and results, whole whatever part of it is in use',
  'src/common/http/': 'the pipeline of every request, put together by the application',
};

/** Global modules, which others may use without importing them: infrastructure, by name, and why. */
export const GLOBAL_MODULES: Record<string, string> = {
  ConfigModule: 'settings and the clock',
  DatabaseModule: 'units of work, statements and the outbox',
  QueueModule: 'jobs and what wakes them',
  VaultModule: 'what seals secrets at rest',
  OutboundModule: 'the one door to the network',
  AuthModule: 'limits; its guards hold for every route',
};

/** Unused exports, by `Module: Export`, and why they are offered. */
export const NEEDLESS_EXPORTS: Record<string, string> = {
  'WalletMethodModule: WalletProofs': 'extensions register the proof of a chain there: docs/extending.md',
};
