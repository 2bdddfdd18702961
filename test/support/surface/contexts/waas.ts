import type { Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';
import { makeOwnWallet } from './wallets.js';

const RULE = { name: 'Payments to the shop', ruleType: 'deny', chain: 'EVM', addresses: [`0x${'1'.repeat(40)}`] };

/** A policy with exactly one rule, so that adding never fills it. */
async function ruleOf({ world, db }: Tenant): Promise<string> {
  await db.query('DELETE FROM signing_policies WHERE environment_id = $1', [world.environmentId]);
  const { body } = await world.api.post<{ policyContent: { ruleId: string }[] }>(
    world.path('/waas/policies'),
    { rulesToAdd: [RULE] },
    { expect: 201 },
  );
  return body.policyContent[0]!.ruleId;
}

const withoutPolicy = async ({ world, db }: Tenant): Promise<void> => {
  await db.query('DELETE FROM signing_policies WHERE environment_id = $1', [world.environmentId]);
};

export const surface: Surface = {
  operations: {
    createWaasPolicy: {
      request: async (tenant) => {
        await withoutPolicy(tenant);
        return { body: { rulesToAdd: [RULE] } };
      },
      toldSometimes: { 'signingPolicy.updated': 'when there is a policy already' },
      rulesBeyondTheSchema: /^rulesToAdd/,
    },
    getWaasPolicy: {
      request: async (tenant) => {
        await ruleOf(tenant);
        return {};
      },
    },
    updateWaasPolicy: {
      request: async (tenant) => {
        const renamed = { ...RULE, name: 'Payments to any shop', ruleId: await ruleOf(tenant) };
        return { body: { rulesToUpdate: [renamed] } };
      },
      rulesBeyondTheSchema: /^rulesToUpdate/,
    },
    deleteWaasPolicy: {
      request: async (tenant) => ({ body: { ruleIdsToDelete: [await ruleOf(tenant)] } }),
      rulesBeyondTheSchema: /^ruleIdsToDelete/,
    },
    tryWaasPolicy: {
      request: async (tenant) => ({
        body: {
          walletId: await makeOwnWallet(tenant, tenant.endUser.userId),
          request: { kind: 'message', message: 'I agree.' },
        },
      }),
      untold: 'only reads',
      unrecorded: 'only reads',
      rulesBeyondTheSchema: /^request/,
    },
  },
};
