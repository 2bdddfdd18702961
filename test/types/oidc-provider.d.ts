/** The parts of `oidc-provider` that the tests use; the package brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface Context {
    oidc: {
      client?: { clientId: string };
      session?: { accountId?: string };
      provider: { Grant: new (of: { clientId: string; accountId: string }) => Grant };
    };
  }

  interface Configuration {
    clients: object[];
    findAccount(context: unknown, id: string): Promise<{ accountId: string; claims(): Promise<object> }>;
    interactions: { url(context: unknown, interaction: { uid: string }): string };
    loadExistingGrant(context: Context): Promise<Grant>;
    [setting: string]: unknown;
  }

  export default class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
