/** Groups of operations by context, in document order. */
const CONTEXTS: Record<string, Record<string, string>> = {
  'Sign-in and users': {
    Sdk: 'Called by applications on behalf of their users: sign-in, profile, wallets, settings.',
    Users: 'Users of an environment, managed by the team that runs it.',
    Sessions: 'Sessions of users: read and revoke.',
    Mfa: 'Second factors of a user: reset.',
    CustomFields: 'Custom profile fields.',
    TestAccount: 'A user with a fixed code, for automated tests.',
    ExternalJwt: 'Sign-in with tokens issued by another service.',
  },
  Wallets: {
    Wallets: 'Wallets of users: list, create, remove.',
    Waas: 'Keys of embedded wallets: creation, signing, delegated access.',
    GlobalWallets: 'One wallet across the sites of a team.',
    GlobalWalletConnections: 'Sites that a global wallet is connected to.',
    GlobalWalletAccessControl: 'Sites that a global wallet may connect to.',
    NameServices: 'Names given to wallets.',
  },
  'Access control': {
    Gates: 'Wallet conditions for signing in or getting a scope.',
    Allowlists: 'Lists of people who may sign in or get a scope.',
    Screening: 'Sanctions screening of wallet addresses.',
  },
  Environments: {
    Environments: 'Settings, keys and visitors of an environment.',
    Settings: 'Sign-in providers and exchanges of an environment.',
    Origins: 'Sites that may call the service from a browser.',
    DeeplinkUrls: 'App addresses that sign-in may return to.',
    CustomHostnames: "A team's own hostnames.",
    SdkViews: 'Texts and steps of the sign-in UI.',
    MfaSettings: 'Second factors that an organization allows.',
    Tokens: 'API tokens of an environment.',
    Chains: 'Known tokens of a chain.',
    CustomNetworks: 'Networks that a team has added.',
  },
  Organizations: {
    Organizations: 'Organizations: the owners of projects.',
    Projects: 'Projects, each with a sandbox and a live environment.',
    Members: 'Members of an organization and their roles.',
    Invites: 'Invitations to an organization.',
    UserApiTokens: 'Personal tokens of a member.',
  },
  'Webhooks and events': {
    Webhooks: 'Endpoints that receive events; messages and their deliveries.',
    Events: 'Past events, and the available event types.',
  },
  Reporting: {
    Analytics: 'Counts of users, visits and wallets over time.',
    Visits: 'Visitors before sign-in.',
    Exports: 'Files with the users or visits of an environment.',
  },
};

export interface TagGroup {
  name: string;
  tags: string[];
}

/** The used tags, described and grouped by context; one without a context comes last, without a description. */
export function describeTags(used: ReadonlySet<string>): {
  tags: { name: string; description: string }[];
  groups: TagGroup[];
} {
  const known = Object.entries(CONTEXTS).map(([context, tags]) => ({
    context,
    tags: Object.entries(tags).filter(([name]) => used.has(name)),
  }));
  const claimed = new Set(known.flatMap(({ tags }) => tags.map(([name]) => name)));
  const unclaimed = [...used].filter((name) => !claimed.has(name)).sort();
  const groups = known.map(({ context, tags }) => ({ name: context, tags: tags.map(([name]) => name) }));
  return {
    tags: [
      ...known.flatMap(({ context, tags }) =>
        tags.map(([name, text]) => ({ name, description: name === context ? text : `${context}: ${text}` })),
      ),
      ...unclaimed.map((name) => ({ name, description: '' })),
    ],
    groups: groups.filter(({ tags }) => tags.length > 0),
  };
}
