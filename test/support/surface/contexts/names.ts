import { encodeFunctionData, namehash, pad, parseAbi, toHex } from 'viem';
import { packetToBytes } from 'viem/ens';
import { NameSignerKeys } from '../../../../src/wallets/name-service/name-signer-keys.js';
import { trustNode } from '../../chain-tenant.js';
import { RpcNode } from '../../rpc-node.js';
import { newKey } from '../../wallet-sign-in.js';
import { newAddress, word } from '../records.js';
import type { OperationSurface, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

const owner = newKey();
const kinds = { chainName: 'EVM' };
const DOMAIN = 'names-of-the-tests.eth';
const NAME = 'nobody';
const ANSWERS: Readonly<Record<string, string>> = {
  eth_chainId: '0x1',
  eth_getCode: '0x',
  eth_blockNumber: '0x1',
  eth_call: pad(owner.address),
};
let node: Promise<RpcNode> | undefined;

/** A chain on which the owner owns everything. */
async function owning({ world }: Tenant): Promise<void> {
  node ??= RpcNode.start(({ method }) => ({ result: ANSWERS[method] ?? null }));
  trustNode(world, (await node).url);
}

const none = ({ world, db }: Tenant): Promise<unknown> =>
  db.query('DELETE FROM name_services WHERE environment_id = $1', [world.environmentId]);

/** The tenant's domain, enabled or disabled; an enabled one is disabled elsewhere. */
async function service(tenant: Tenant, isOn: boolean, domain = `${word().toLowerCase()}.eth`): Promise<void> {
  const { world, db } = tenant;
  await owning(tenant);
  await none(tenant);
  const { environmentId } = world;
  await db.query('UPDATE name_services SET enabled_at = NULL WHERE domain = $1', [domain]);
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO name_services (environment_id, id, chain, domain, address, enabled_at)
     VALUES ($1, gen_random_uuid(), 'EVM', $2, $3, CASE WHEN $4 THEN now() END) RETURNING id`,
    [environmentId, domain, owner.address, isOn],
  );
  const { id } = rows[0]!;
  const keys = await world.test.app.get(NameSignerKeys).make({ environmentId, id });
  await db.query('UPDATE name_services SET signer_address = $2, sealed_key = $3, master_key_id = $4 WHERE id = $1', [
    id,
    keys.signerAddress,
    keys.sealedKey,
    keys.masterKeyId,
  ]);
}
const having = (isOn: boolean): OperationSurface => ({
  kinds,
  request: async (tenant) => {
    await service(tenant, isOn);
    return {};
  },
});

async function proof(tenant: Tenant): Promise<{ body: unknown }> {
  const { world } = tenant;
  await owning(tenant);
  await none(tenant);
  const about = { address: owner.address, domain: `${word().toLowerCase()}.eth` };
  const path = world.path('/nameService/EVM/signingMessage');
  const request = { ...about, uri: 'https://console.example.com/names' };
  const { body } = await world.api.post<{ unsignedMessage: string }>(path, request, { expect: 200 });
  return { body: { ...about, signature: await owner.signMessage({ message: body.unsignedMessage }) } };
}

/** A wallet of the tenant's end user, and an unused name below its domain, or one of the wallet. */
async function wallet(tenant: Tenant, handle: string | null): Promise<string> {
  const { world, db, endUser } = tenant;
  await service(tenant, true);
  const address = newAddress();
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO wallets (environment_id, id, user_id, kind, name, chain, address, provider)
     VALUES ($1, gen_random_uuid(), $2, 'external', 'test', 'EVM', $3, 'browserExtension') RETURNING id`,
    [world.environmentId, endUser.userId, address],
  );
  await db.query(
    `INSERT INTO credentials (environment_id, id, user_id, format, address, chain, public_identifier, wallet_id,
       wallet_provider, verified_at)
     VALUES ($1, gen_random_uuid(), $2, 'blockchain', $3, 'EVM', $3, $4, 'browserExtension', now())`,
    [world.environmentId, endUser.userId, address, rows[0]!.id],
  );
  if (handle !== null) {
    await db.query(
      `INSERT INTO wallet_names (environment_id, id, service_id, handle, wallet_id)
       SELECT $1, gen_random_uuid(), id, $2, $3 FROM name_services WHERE environment_id = $1`,
      [world.environmentId, handle, rows[0]!.id],
    );
  }
  return address;
}

const ADDR = parseAbi(['function addr(bytes32 node) view returns (address)']);
const RESOLVE = parseAbi(['function resolve(bytes name, bytes data) view returns (bytes)']);
const questionAbout = (name: string): string =>
  encodeFunctionData({
    abi: RESOLVE,
    args: [toHex(packetToBytes(name)), encodeFunctionData({ abi: ADDR, args: [namehash(name)] })],
  });

export const surface: Surface = {
  kinds: { handle: NAME, sender: newAddress(), callData: questionAbout(`${NAME}.${DOMAIN}`) },
  operations: {
    getNameService: having(false),
    deleteNameService: having(false),
    enableNameService: having(false),
    disableNameService: having(true),
    createNameService: { kinds, request: proof },
    fetchNameServiceSigningMessage: {
      kinds,
      request: () => ({
        body: { address: owner.address, domain: DOMAIN, uri: 'https://console.example.com/names' },
      }),
      untold: 'It hands out what is to be signed, and sets nothing up.',
      unrecorded: 'It hands out what is to be signed, and sets nothing up.',
    },
    claimName: {
      request: async (tenant) => ({ body: { handle: word().toLowerCase(), address: await wallet(tenant, null) } }),
      // The wallet belongs to another user.
      callers: { 'an end user': [422], 'an end user with the minified token': [422] },
    },
    releaseName: {
      // Belongs to the tenant's end user, who has a wallet with this name each time.
      fittingRecords: () => ({}),
      request: async (tenant) => {
        await wallet(tenant, NAME);
        return {};
      },
      callers: { 'an end user': [404], 'an end user with the minified token': [404] },
    },
    resolveName: {
      request: async (tenant) => {
        await service(tenant, true, DOMAIN);
        return {};
      },
    },
  },
};
