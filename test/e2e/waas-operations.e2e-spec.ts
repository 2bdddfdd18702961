import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GuardedAction } from '../../src/auth/index.js';
import type { KeyUse } from '../../src/custody/index.js';
import { listOperations, readDocument } from '../support/contract/openapi-document.js';
import { rowsOf } from '../support/rows.js';
import { startTenantApp, type TenantApp } from '../support/suites/tenant-app.js';
import { apiDocument, operations } from '../support/surface/operations.js';
import { serviceSurface } from '../support/surface/registry.js';
import { validCall } from '../support/surface/valid-call.js';

/** What an operation does with keys, itself or where what it begins is ended. */
interface KeyRule {
  readonly ledger: KeyUse['operation'];
  /** Undefined for what its user is told of by mail alone. */
  readonly event?: string;
  /** Beside those of every operation; what servers do is limited by their credential and its grant. */
  readonly limit?: RegExp;
  readonly factor?: GuardedAction;
  /** The operation or the scenario that ends it, where it is not over with its answer. */
  readonly endsIn?: string;
}

const NO_KEY = { reason: 'uses no key' } as const;
const ROOM = /^20 open rooms per user$/;
const COPIES = /^20 backups per wallet$/;
const RESHARES = /^3 refreshes and reshares per hour and user$/;
const BACKUP = { ledger: 'backup', event: 'wallet.backedUp', limit: COPIES } as const;
const OF_SERVERS = { ledger: 'delegate', event: 'wallet.delegation.revoked' } as const;
const SPLIT = 'a key that its device splits, signs with and shares anew';

/** All operations of the contract under `/waas`. */
const RULES: Readonly<Record<string, KeyRule | typeof NO_KEY>> = {
  createWaasAccount: { ledger: 'create', event: 'wallet.created', limit: ROOM, endsIn: SPLIT },
  signMessage: {
    ...{ ledger: 'sign', event: 'wallet.signed', factor: 'wallet.waas.sign', endsIn: 'postRoomMessage' },
    limit: /^30 signatures per minute and user$/,
  },
  refreshKeyShares: {
    ...{ ledger: 'refresh', event: 'wallet.reshared', factor: 'wallet.waas.refresh', limit: RESHARES },
    endsIn: 'a refresh of a shared key',
  },
  reshare: {
    ...{ ledger: 'reshare', event: 'wallet.reshared', factor: 'wallet.waas.reshare', limit: RESHARES },
    endsIn: 'a reshare that gives its user the whole key',
  },
  exportPrivateKey: {
    ...{ ledger: 'export', factor: 'wallet.waas.export', endsIn: 'embeddedWalletExport' },
    limit: /^3 exports per hour and user$/,
  },
  importPrivateKey: {
    ...{ ledger: 'import', event: 'wallet.created', limit: /^3 imports per hour and user$/ },
    endsIn: 'completePrivateKeyImport',
  },
  backupKeyShares: BACKUP,
  backupKeySharesToGoogleDrive: BACKUP,
  backupKeySharesToLocation: BACKUP,
  backupKeySharesToLocations: BACKUP,
  backupKeySharesToLocationsForPregen: BACKUP,
  recoverKeyShares: {
    ...{ ledger: 'recover', event: 'wallet.recovered' },
    limit: /^encrypted shares are released at most 5 times in 24 hours per wallet$/,
  },
  createWaasWallet: { ledger: 'create', event: 'wallet.created' },
  deliverDelegatedShare: { ledger: 'delegate', event: 'wallet.delegation.created', factor: 'wallet.waas.reshare' },
  delegatedSignMessage: {
    ...{ ledger: 'sign', event: 'wallet.delegation.used' },
    limit: /^30 signatures per minute and user$/,
  },
  deleteDelegatedAccess: OF_SERVERS,
  revokeDelegatedAccess: OF_SERVERS,
  updateWaasWalletSettings: { ...OF_SERVERS, factor: 'wallet.waas.reshare' },
  authenticateWaas: NO_KEY,
  createRooms: NO_KEY,
  createRoomsWithoutWalletId: NO_KEY,
  createDelegatedCredentials: NO_KEY,
  createWaasPolicy: NO_KEY,
  deleteWaasPolicy: NO_KEY,
  getBackupToken: NO_KEY,
  getDelegatedAccessEncryptionPublicKey: NO_KEY,
  getDelegatedAccessEncryptionPublicKeyById: NO_KEY,
  getDelegatedAccessEncryptionPublicKeys: NO_KEY,
  getWaasPolicy: NO_KEY,
  getWaasWalletByWalletId: NO_KEY,
  getWaasWalletWithVerifiedCredentials: NO_KEY,
  updateWaasPolicy: NO_KEY,
  verifyApiKey: NO_KEY,
};

interface Documented {
  readonly 'x-mfa-action'?: string;
  readonly 'x-limits'?: readonly string[];
}

const contract = readDocument(new URL('../contract/openapi.json', import.meta.url));
const documented = new Map(
  listOperations(apiDocument).map(({ operationId, operation }) => [operationId, operation as Documented]),
);
const all = Object.entries(RULES);
const ofKeys = all.filter((entry): entry is [string, KeyRule] => 'ledger' in entry[1]);

describe('the operations of wallet-as-a-service', () => {
  let own: TenantApp;

  beforeAll(async () => {
    own = await startTenantApp();
  }, 180_000);
  afterAll(() => own?.close());

  const rows = async (sql: string): Promise<Map<string, string>> =>
    new Map((await rowsOf<{ id: string; name: string }>(own.test, sql)).map(({ id, name }) => [id, name]));
  const ledger = () => rows('SELECT id, operation AS name FROM key_ledger');
  const events = () => rows('SELECT id, name FROM events');

  /** What an operation or a scenario writes into the ledger and tells. */
  async function during(name: string): Promise<{ ledger: string[]; events: string[] }> {
    const scenario = serviceSurface.scenarios[name];
    const operation = operations.find(({ id }) => id === name);
    const call = operation && (await validCall(own.tenant, operation));
    const before = [await ledger(), await events()] as const;
    if (scenario) await scenario(own.tenant);
    if (call) expect((await own.client.send(call)).status).toBeLessThan(300);
    const fresh = (now: Map<string, string>, known: Map<string, string>): string[] =>
      [...now].flatMap(([id, one]) => (known.has(id) ? [] : [one]));
    return { ledger: fresh(await ledger(), before[0]), events: fresh(await events(), before[1]) };
  }

  it('are the 33 of the contract', () => {
    const promised = listOperations(contract).filter(({ path }) => path.includes('/waas'));
    expect(Object.keys(RULES).sort()).toEqual(promised.map(({ operationId }) => operationId).sort());
    expect(promised).toHaveLength(33);
  });

  it('ask for the second factor of an action where the contract names one, and for no other', () => {
    const asking = all.map(([id, rule]) => [id, 'factor' in rule ? rule.factor : undefined]);
    expect(all.map(([id]) => [id, documented.get(id)!['x-mfa-action']])).toEqual(asking);
  });

  it.each(ofKeys)(
    '%s is limited, in the ledger of keys, and told',
    async (id, { ledger: use, event, limit, endsIn }) => {
      const limits = documented.get(id)!['x-limits'] ?? [];
      expect(limits.filter((one) => limit?.test(one) ?? true).length).toBeGreaterThan(0);
      const made = await during(endsIn ?? id);
      expect(made.ledger).toContain(use);
      if (event) expect(made.events).toContain(event);
    },
  );
});
