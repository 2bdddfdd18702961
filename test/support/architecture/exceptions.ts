/** Rows that belong to no tenant or to several, by the class of their entity, and why. */
export const UNSCOPED_ENTITIES: Record<string, string> = {
  ServiceSecret: 'belongs to the deployment: the pepper of one-time codes and its like',
  CouponRow: 'belongs to the operator, who gives coupons to any organization',
  ProviderEventRow: 'belongs to the deployment: which messages of the payment provider were dealt with',
  Environment: 'is the scope itself; its own id is what other rows carry',
  Organization: 'is the scope itself; its own id is what other rows carry',
};

/** Controllers that answer people with pages, outside of the API, and why. */
export const PAGE_CONTROLLERS: Record<string, string> = {
  AssetsController: 'style and script of the pages',
  CatcherController: 'a receiver to try webhooks with, in development',
  DocsController: 'the document of the API, for people',
  ErrorPagesController: 'a page for each error code',
  HealthController: 'for balancers and orchestrators',
  InvitePageController: 'where the emailed link of an invite leads',
  InboxController: 'what would have been mailed, in development',
  StripeMessagesController: 'messages of the payment provider, signed over their bytes',
};

/** Dashboard operations on a record without a tenant in the path or an owner to look up, by id, and why. */
export const OPERATIONS_WITHOUT_OWNER: Record<string, string> = {
  deleteUserApiToken: 'the token belongs to the caller, whose id its statement binds',
  updateInvite: 'the invite belongs to whoever owns its address, which its statement binds',
};

/** Parts of `common`, by the start of their path, that may have fewer than two users, and why they stay there. */
export const COMMON_FOR_ONE: Record<string, string> = {
  'src/common/fields/': 'the one vocabulary of requests and results, whole whatever part of it is in use',
  'src/common/http/': 'the pipeline of every request, put together by the application',
};
