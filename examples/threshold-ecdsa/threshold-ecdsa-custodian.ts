import { Injectable, type OnModuleInit } from '@nestjs/common';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { publicKeyToAddress } from 'viem/accounts';
import { notFound } from '../../src/common/errors/index.js';
import { newId } from '../../src/common/ids.js';
import {
  CustodianRegistry,
  derivationPath,
  notSupportedByCustodian,
  readable,
  ThresholdEcdsa,
  type AccountPlace,
  type CreatesKeys,
  type Custodian,
  type DerivesAccounts,
  type EmbeddedAccount,
  type EmbeddedChain,
  type HeldAccount,
  type HeldKeys,
  type KeyOwner,
  type PreparedKeys,
  type RetiresKeys,
  type Signed,
  type SigningRequest,
  type SignsRequests,
} from '../../src/custody/index.js';
import type { Transaction } from '../../src/database/index.js';
import { VendorKeysRepository } from '../vendor-custodian/index.js';

/** Version `external`: a licensed service holds the key shares and signs with threshold ECDSA. EVM only. */
@Injectable()
export class ThresholdEcdsaCustodian
  implements Custodian, CreatesKeys, RetiresKeys, DerivesAccounts, SignsRequests, OnModuleInit
{
  readonly version = 'external';
  readonly can = { create: this, retire: this, derive: this, sign: this };

  constructor(
    private readonly keys: VendorKeysRepository,
    private readonly service: ThresholdEcdsa,
    private readonly custodians: CustodianRegistry,
  ) {}

  onModuleInit(): void {
    this.custodians.register(this);
  }

  async prepare(owner: KeyOwner, chains: readonly EmbeddedChain[]): Promise<PreparedKeys> {
    const { environmentId } = owner;
    const { version } = this;
    const known = await this.keys.findLiveId({ ...owner, version });
    const keysId = known ?? newId();
    assertEvm(chains);
    // If this fails, `VendorKeysShredder` has the service destroy the key.
    const discard = (): void => {
      if (!known) void this.service.destroyKey(keysId).catch(() => undefined);
    };
    const places = chains.map((chain) => ({ chain, index: 0 }));
    if (!known) await this.keys.draft({ ...owner, version }, keysId);
    try {
      if (!known) await this.service.createKey(keysId);
      const accounts = await this.accounts(keysId, places);
      const store = async (tx: Transaction): Promise<boolean> =>
        known
          ? (await this.keys.findLiveId({ ...owner, version }, tx)) === keysId
          : this.keys.store(environmentId, keysId, tx);
      return { keysId, isNew: known === null, accounts, store, discard };
    } catch (error) {
      discard();
      throw error;
    }
  }

  retire(
    { keysId = null, ...owner }: KeyOwner & { keysId?: string | null },
    graceDays: number,
    tx: Transaction,
  ): Promise<string[]> {
    return this.keys.retire({ ...owner, version: this.version }, { days: graceDays, keysId }, tx);
  }

  async derive(keys: HeldKeys, places: readonly AccountPlace[]): Promise<EmbeddedAccount[]> {
    assertEvm(places.map(({ chain }) => chain));
    await this.assertLive(keys);
    return this.accounts(keys.keysId, places);
  }

  /** Decodes the request, so that the service is only asked to sign its digest; then verifies the signature. */
  async sign(account: HeldAccount, request: SigningRequest): Promise<Signed> {
    assertEvm([account.chain]);
    const { digest, written } = readable(account, request);
    if (!written) throw new Error(`Nothing of ${account.chain} is signed by one signature of ECDSA.`);
    await this.assertLive(account);
    const { keysId, index, address } = account;
    const publicKey = await this.service.publicKey(keysId, index);
    if (addressOf(publicKey) !== address) throw new Error('The key of the service is not that of the address.');
    const made = await this.service.sign(keysId, index, digest);
    const recovered = secp256k1.Signature.fromBytes(Uint8Array.from(made.signature))
      .addRecoveryBit(made.recoveryId)
      .recoverPublicKey(Uint8Array.from(digest));
    if (recovered.toHex() !== publicKey.toString('hex')) throw new Error('The service answers a wrong signature.');
    return written(made);
  }

  private async assertLive(keys: HeldKeys): Promise<void> {
    if ((await this.keys.findLiveId({ ...keys, version: this.version })) !== keys.keysId) throw notFound();
  }

  private accounts(keysId: string, places: readonly AccountPlace[]): Promise<EmbeddedAccount[]> {
    return Promise.all(
      places.map(async ({ chain, index }) => {
        const publicKey = await this.service.publicKey(keysId, index);
        const address = addressOf(publicKey);
        return { chain, index, address, publicKey: publicKey.toString('hex'), path: derivationPath(chain, index) };
      }),
    );
  }
}

const addressOf = (publicKey: Buffer): string =>
  publicKeyToAddress(`0x${secp256k1.Point.fromHex(publicKey.toString('hex')).toHex(false)}`);

/** @throws ApiError not_supported_by_custodian */
function assertEvm(chains: readonly EmbeddedChain[]): void {
  const other = chains.find((chain) => chain !== 'EVM');
  if (other) throw notSupportedByCustodian({ payload: { version: 'external', chain: other } });
}
