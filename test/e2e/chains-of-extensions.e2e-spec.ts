import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { p256 } from '@noble/curves/nist.js';
import { IdentityModule, WalletProof, WalletProofs, type SignedText } from '../../src/identity/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { Refusal } from '../support/codes.js';
import { addSite, claimOf, enableChains, messageOf, newNonce } from '../support/wallet-sign-in.js';
import { World } from '../support/world.js';

const ADDRESS = /^0x[0-9a-f]{16}$/i;
const KEY_BYTES = 33;

const addressOf = (publicKey: Uint8Array): string =>
  `0x${createHash('sha256').update(publicKey).digest('hex').slice(0, 16)}`;

/** Wallets of Flow with one key, as far as a team needs them: the key and the signature of the text in hexadecimal. */
@Injectable()
class FlowProof extends WalletProof implements OnModuleInit {
  readonly chains = ['FLOW'] as const;
  readonly account = 'Flow';
  readonly needsNetwork = false;

  constructor(private readonly proofs: WalletProofs) {
    super();
  }

  onModuleInit(): void {
    this.proofs.register(this);
  }

  override addressOf(text: string): string | null {
    return ADDRESS.test(text) ? text.toLowerCase() : null;
  }

  override async verify({ address, text, signature }: SignedText): Promise<boolean> {
    const bytes = Uint8Array.from(Buffer.from(signature, 'hex'));
    const [key, signed] = [bytes.subarray(0, KEY_BYTES), bytes.subarray(KEY_BYTES)];
    if (addressOf(key) !== address) return false;
    try {
      return p256.verify(signed, Uint8Array.from(Buffer.from(text)), key);
    } catch {
      return false;
    }
  }
}

@Module({ imports: [IdentityModule], providers: [FlowProof] })
class FlowModule {}

@Module({ imports: [FlowModule, IdentityModule], providers: [{ provide: 'another', useClass: FlowProof }] })
class FlowTwiceModule {}

describe('a chain of an extension', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await startTestApp({ extensions: [FlowModule], env: { ROLE: 'api' } });
    world = await World.create(test);
    await addSite(world);
    await enableChains(world, { FLOW: [] });
  });
  afterAll(() => test.close());

  const newWallet = () => {
    const { secretKey, publicKey } = p256.keygen();
    const sign = (text: string): string =>
      Buffer.concat([publicKey, p256.sign(Uint8Array.from(Buffer.from(text)), secretKey)]).toString('hex');
    return { address: addressOf(publicKey), sign };
  };
  type FlowWallet = ReturnType<typeof newWallet>;

  const signIn = async ({ address, sign }: FlowWallet, shown = address) => {
    const message = messageOf({ account: 'Flow', address, nonce: await newNonce(world), chainId: null });
    const claim = claimOf(shown, message, sign(message), 'FLOW');
    return world.anonymous.post<{ user: { id: string } } & Refusal>(world.sdk('/verify'), claim);
  };

  it('lets its wallets sign in, as one user however the address is written', async () => {
    const wallet = newWallet();
    const first = await signIn(wallet);
    expect(first.status).toBe(200);
    const again = await signIn(wallet, wallet.address.toUpperCase().replace('0X', '0x'));
    expect([again.status, again.body.user.id]).toEqual([200, first.body.user.id]);
  });

  it('refuses the signature of another wallet, and an invalid address', async () => {
    const [wallet, other] = [newWallet(), newWallet()];
    expect((await signIn({ ...wallet, sign: other.sign })).status).toBe(422);
    expect((await signIn({ ...wallet, sign: () => '00' })).status).toBe(422);
    expect((await signIn(wallet, '0x12')).status).toBe(422);
  });

  it('has one proof, or the application does not start', async () => {
    const twice = startTestApp({ databaseUrl: test.databaseUrl, extensions: [FlowTwiceModule], env: { ROLE: 'api' } });
    await expect(twice).rejects.toThrow('Two proofs of FLOW');
  });
});
