import { enableFrames, FrameChain } from './frame.js';
import { OauthVendor } from './oauth-vendor.js';
import { enableSms } from './sms.js';
import { enableTelegram } from './telegram.js';
import type { World } from './world.js';

/** The external parties of sign-ins: a vendor and a chain, on loopback. */
export class DoorPeers {
  private constructor(
    readonly vendor: OauthVendor,
    readonly chain: FrameChain,
  ) {}

  static async start(): Promise<DoorPeers> {
    return new DoorPeers(await OauthVendor.start(), await FrameChain.start());
  }

  /** Settings for the service under test. */
  get env(): Record<string, string> {
    const addresses = {
      github: this.vendor.addresses,
      telegram: { api: 'https://widget.example', authorize: 'https://frames.example/' },
    };
    return { EGRESS_ALLOW: '127.0.0.1', PROVIDER_ADDRESSES: JSON.stringify(addresses) };
  }

  /** Enables every sign-in method in an environment. */
  async serve(world: World): Promise<void> {
    await this.chain.serve(world);
    await enableFrames(world);
    await enableTelegram(world);
    await enableSms(world);
    const client = { clientId: 'client', clientSecret: 'secret-of-the-client' };
    const github = world.path('/settings/providers/type/github');
    const { id } = (await world.owner.post<{ id: string }>(github, client, { expect: 201 })).body;
    await world.owner.put(`/settings/providers/${id}/enable`, undefined, { expect: 200 });
  }

  async stop(): Promise<void> {
    await this.vendor.stop();
    await this.chain.node.close();
  }
}
