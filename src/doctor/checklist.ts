import { accessEndpoints } from '../access-control/index.js';
import { remedyOf } from '../bootstrap/index.js';
import type { Config } from '../config/index.js';
import { greetSigner } from '../custody/index.js';
import { checkAuditTrail } from './checks/audit-trail.js';
import { checkChainNodes } from './checks/chain-nodes.js';
import { checkClock } from './checks/clock.js';
import { checkCustodians } from './checks/custodians.js';
import { checkDataFolder } from './checks/data-folder.js';
import { checkDatabase } from './checks/database.js';
import { checkExportStore } from './checks/export-store.js';
import { checkMail } from './checks/mail.js';
import { checkMasterKey } from './checks/master-key.js';
import { checkPublicUrl } from './checks/public-url.js';
import { checkRedis } from './checks/redis.js';
import { checkRowSecurity } from './checks/row-security.js';
import { checkSealedKeys } from './checks/sealed-keys.js';
import { checkSigner } from './checks/signer.js';
import { checkSigningKeys } from './checks/signing-keys.js';
import { checkSms } from './checks/sms.js';
import { fundingEndpoints } from '../funding/index.js';
import { vendorEndpoints, type VendorEndpoint } from '../networks/index.js';
import { checkStoredSecrets } from './checks/stored-secrets.js';
import { checkVendors } from './checks/vendors.js';
import { checkWebhookEgress } from './checks/webhook-egress.js';
import { probeStorage } from '../reporting/index.js';
import { MOST_NODES, MOST_SMS_GATEWAYS } from './database-probe.repository.js';
import type { Deployment } from './deployment.js';
import { warn, type Finding } from './finding.js';
import { inspectDataFolder } from './local-files.js';
import type { Check } from './report.js';

/** Every check of a deployment with valid settings, in dependency order. */
export function checklist(config: Config, deployment: Deployment): Check[] {
  const { isProduction, publicUrl } = config;
  const readsKeys = config.get('SIGNER_READS_KEYS');
  // On this machine, or wherever PUBLIC_URL leads: on that of a worker nothing listens.
  let running = false;
  const vendors = async (endpoints: VendorEndpoint[]): Promise<Finding> =>
    checkVendors(endpoints, (url) => deployment.reach(url), await deployment.seenVendors(), isProduction);
  const ofCurrentSchema =
    (run: Check['run']): Check['run'] =>
    () =>
      deployment.isBehind ? warn('not checked: migrations are pending', 'npm run migration:run') : run();
  return [
    {
      what: 'Data folder',
      run: () => checkDataFolder({ ...inspectDataFolder(config.get('DATA_DIR')), isProduction }),
    },
    { what: 'Master key', run: () => checkMasterKey(() => deployment.vault()) },
    {
      what: 'Signer',
      run: () => checkSigner({ signer: config.get('SIGNER'), readsKeys }, () => greetSigner(config)),
    },
    { what: 'Database', run: () => checkDatabase(() => deployment.database(), remedyOf) },
    {
      what: 'Stored secrets',
      run: ofCurrentSchema(async () => {
        const sealed = await deployment.storedSecret();
        return checkStoredSecrets(sealed, sealed ? await deployment.usedKeys() : [], () => deployment.vault());
      }),
    },
    { what: 'Audit trail', run: async () => checkAuditTrail(await deployment.rightsOnTrail(), isProduction) },
    { what: 'Sealed keys', run: async () => checkSealedKeys(readsKeys, await deployment.rightsOnKeys()) },
    {
      what: 'Custodians',
      run: ofCurrentSchema(async () =>
        checkCustodians(await deployment.heldVersions(), () => deployment.installedVersions()),
      ),
    },
    {
      what: 'Row-level security',
      run: async () => checkRowSecurity(config.get('DATABASE_ROW_SECURITY') === 'on', await deployment.rowSecurity()),
    },
    { what: 'Redis', run: () => checkRedis(config.get('REDIS_URL'), (url) => deployment.redis(url)) },
    { what: 'Clock', run: async () => checkClock(await deployment.clockSkewMs()) },
    {
      what: 'Public URL',
      run: async () => {
        running = await deployment.isRunning();
        const isSet = config.get('PUBLIC_URL') !== null;
        return checkPublicUrl({
          publicUrl,
          isSet,
          isProduction,
          running,
          ask: async (url) => {
            const answer = await deployment.service.health(url);
            running ||= typeof answer !== 'string' && answer.host !== null;
            return answer;
          },
        });
      },
    },
    {
      what: 'Mail',
      run: () =>
        checkMail({
          smtpUrl: config.get('SMTP_URL'),
          isProduction,
          verify: (url) => deployment.verifyMail(url, config.get('SMTP_TLS') === 'required'),
        }),
    },
    {
      what: 'SMS',
      run: ofCurrentSchema(async () =>
        checkSms({
          gateways: await deployment.smsGateways(),
          most: MOST_SMS_GATEWAYS,
          staysHere: !isProduction && config.get('PROVIDER_ADDRESSES')['sms']?.api === undefined,
          reach: (url) => deployment.reach(url),
        }),
      ),
    },
    { what: 'Chain data', run: () => vendors(vendorEndpoints(config)) },
    { what: 'Gates and screening', run: () => vendors(accessEndpoints(config)) },
    {
      what: 'Nodes of tenants',
      run: ofCurrentSchema(async () =>
        checkChainNodes(await deployment.chainNodes(), MOST_NODES, (node) => deployment.askNode(node)),
      ),
    },
    { what: 'Ramps and exchanges', run: () => vendors(fundingEndpoints(config)) },
    {
      what: 'Export store',
      run: () =>
        checkExportStore({ store: config.get('EXPORT_STORE'), isProduction, probe: () => probeStorage(config) }),
    },
    {
      what: 'Signing keys',
      run: ofCurrentSchema(() => checkSigningKeys({ running, read: () => deployment.consoleKeys() })),
    },
    { what: 'Webhook egress', run: () => checkWebhookEgress(config.egressAllow, isProduction) },
  ];
}
