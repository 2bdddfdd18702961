import { objectStoreSetting } from './object-store.js';
import {
  addressesSetting,
  booleanSetting,
  choiceSetting,
  headersSetting,
  listSetting,
  hostNameSetting,
  indexersSetting,
  isServerAddress,
  numberSetting,
  optionalNumber,
  optionalText,
  textSetting,
  urlSetting,
  waitsSetting,
} from './setting.js';

/** Every variable the service reads, in the order of the table in the README. */
export const SETTINGS = {
  NODE_ENV: choiceSetting(['development', 'production', 'test'], {
    default: 'development',
    about:
      '`production` turns off the development pages and requires MASTER_KEY (or another KEY_VAULT), DATABASE_URL and PUBLIC_URL.',
  }),
  PORT: numberSetting({ default: 3000, min: 0, max: 65535, about: 'TCP port of the API; 0 takes a free one.' }),
  HOST: textSetting({
    default: (isProduction) => (isProduction ? '0.0.0.0' : '127.0.0.1'),
    defaultText: '`127.0.0.1`, in production `0.0.0.0`',
    about: 'Address the API listens on.',
  }),
  PUBLIC_URL: urlSetting(['http:', 'https:'], {
    about: 'Address under which clients reach the service; links, token issuers and pages are built from it alone.',
    defaultText: '`http://localhost:PORT`, required in production',
  }),
  DATA_DIR: textSetting({ default: '.data', about: 'Folder of generated secrets and of the built-in PostgreSQL.' }),
  DATABASE_URL: urlSetting(['postgres:', 'postgresql:'], {
    about: 'PostgreSQL 15 or newer. Without it a built-in server runs in DATA_DIR (development only).',
    defaultText: 'built-in server',
    secret: true,
  }),
  DATABASE_POOL: optionalNumber({
    min: 2,
    max: 200,
    about: 'Connections of one instance to PostgreSQL, at most.',
    defaultText: '15; 10 of `ROLE=api`, 5 of `ROLE=worker`',
  }),
  DATABASE_WAIT_MS: numberSetting({
    default: 2_000,
    min: 100,
    max: 30_000,
    about:
      'Milliseconds that a request waits for a connection to PostgreSQL before it is answered 503. Locks are waited for half as long again, and a statement may take two and a half times as long. A server that falls silent is given up after five times as long.',
  }),
  DATABASE_ROW_SECURITY: choiceSetting(['off', 'on'], {
    default: 'off',
    about:
      'Whether each statement names its tenant to PostgreSQL, so that policies of the tables hold it to the rows of that tenant. `npm run migration:run` makes the policies and drops them; see docs/running.md.',
  }),
  REDIS_URL: urlSetting(['redis:', 'rediss:'], {
    about: 'Redis 6 or newer for wake-ups and rate limits. Needed as soon as there are two instances.',
    defaultText: 'in-process',
    secret: true,
  }),
  REDIS_WAIT_MS: numberSetting({
    default: 200,
    min: 50,
    max: 30_000,
    about: 'Milliseconds that one call in a second waits for a slow Redis; then each instance counts its limits alone.',
  }),
  MASTER_KEY: optionalText({
    about:
      'Key ring of the `local` vault, which protects every stored secret: 32 bytes in base64 or hex, newest first, comma-separated. Generated into DATA_DIR in development.',
    defaultText: 'generated in development, required in production',
    secret: true,
  }),
  KEY_VAULT: listSetting({
    default: ['local'],
    about:
      'Who keeps the keys that protect stored secrets: `local` (MASTER_KEY), `aws-kms` or `vault` (HashiCorp Vault, transit). The first seals, all of them open; see docs/running.md.',
    item: (text) => ['local', 'aws-kms', 'vault'].includes(text),
    itemText: 'local, aws-kms and vault',
  }),
  AWS_KMS_KEYS: listSetting({
    default: [],
    defaultText: 'required by `aws-kms`',
    about: 'ARNs of symmetric keys of AWS KMS, the current one first, comma-separated.',
  }),
  AWS_ACCESS_KEY_ID: optionalText({ about: 'Credentials for AWS KMS.', defaultText: 'required by `aws-kms`' }),
  AWS_SECRET_ACCESS_KEY: optionalText({
    about: 'The secret that belongs to AWS_ACCESS_KEY_ID.',
    defaultText: 'required by `aws-kms`',
    secret: true,
  }),
  AWS_SESSION_TOKEN: optionalText({ about: 'Session token of temporary credentials.', secret: true }),
  AWS_KMS_ENDPOINT: optionalText({
    about: 'Address of KMS, such as that of a VPC endpoint: https, or loopback for tests.',
    defaultText: 'that of the region',
  }),
  VAULT_ADDR: optionalText({
    about: 'Address of HashiCorp Vault: https, or loopback. NODE_EXTRA_CA_CERTS names certificates of its authority.',
    defaultText: 'required by `vault`',
  }),
  VAULT_NAMESPACE: optionalText({ about: 'Namespace of Vault Enterprise.' }),
  VAULT_TRANSIT_MOUNT: textSetting({ default: 'transit', about: 'Path at which the transit engine is mounted.' }),
  VAULT_TRANSIT_KEY: textSetting({ default: 'gatehouse', about: 'Name of the transit key, made with `derived=true`.' }),
  VAULT_TOKEN: optionalText({
    about: 'Token for Vault, if somebody else renews it. Otherwise VAULT_ROLE_ID.',
    secret: true,
  }),
  VAULT_ROLE_ID: optionalText({ about: 'Role of the AppRole with which the service logs in to Vault by itself.' }),
  VAULT_SECRET_ID: optionalText({ about: 'The secret that belongs to VAULT_ROLE_ID.', secret: true }),
  ROLE: choiceSetting(['all', 'api', 'worker', 'signer'], {
    default: 'all',
    about:
      '`api` answers requests, `worker` delivers webhooks, `all` does both; `signer` opens keys of wallets for instances with `SIGNER=socket`.',
  }),
  SIGNER: choiceSetting(['own-process', 'in-process', 'socket'], {
    default: 'own-process',
    about:
      'Where keys of wallets are opened: in a process that this one starts, in this one, or in one with `ROLE=signer` that listens on SIGNER_SOCKET.',
  }),
  SIGNER_SOCKET: optionalText({
    about: 'Path of the unix socket of a signer that runs alone; at most 100 characters, in a folder of its own.',
    defaultText: '`signer/signer.sock` in DATA_DIR',
  }),
  SIGNER_SECRET: optionalText({
    about: 'What a signer that runs alone and its instances both know: 32 random characters or more.',
    defaultText: 'required by `ROLE=signer` and `SIGNER=socket`',
    secret: true,
  }),
  SIGNER_READS_KEYS: booleanSetting({
    default: false,
    about:
      'Whether the signer at SIGNER_SOCKET reads sealed keys from the database itself, so that instances do not and their role need not; with `SIGNER=socket` alone. See docs/running.md.',
  }),
  SIGNER_DATABASE_URL: urlSetting(['postgres:', 'postgresql:'], {
    about:
      'The database, with a role that may read sealed keys and nothing else. For `ROLE=signer` alone: an instance that knows it is refused.',
    defaultText: 'none: instances hand sealed keys over',
    secret: true,
  }),
  KEY_EXPORT_DELAY_HOURS: numberSetting({
    default: 0,
    min: 0,
    max: 168,
    about:
      'Hours between the request of a user for the private key of a wallet and the time from which it can be fetched, for a day: the user is told by mail, and ends it by hiding the wallet. With 0 it is fetched at once.',
  }),
  TIMING_SCALE: numberSetting({
    default: 1,
    min: 0.001,
    max: 1,
    whole: false,
    about: 'Factor of sweeps, leases and pauses, for tests; production takes 1 alone.',
  }),
  API_DOCS: booleanSetting({
    default: (isProduction) => !isProduction,
    defaultText: '`true`, in production `false`',
    about: 'Serve /docs and /openapi.json; in production they are for members.',
  }),
  TRUST_PROXY: listSetting({
    default: [],
    defaultText: 'none',
    about: 'Addresses or CIDRs of proxies whose X-Forwarded-For counts, comma-separated.',
  }),
  EGRESS_ALLOW: optionalText({
    about:
      'Hosts, host:port or CIDRs that webhooks and single sign-on may reach although they are private or plain http, comma-separated.',
    defaultText: 'loopback in development, nothing in production',
  }),
  PROVIDER_ADDRESSES: addressesSetting({
    about:
      'Where vendors are, when elsewhere than usual: JSON by provider type with `issuer`, or `authorize`, `token`, `profile` and `api`. EGRESS_ALLOW decides about them as about any other.',
  }),
  TOKEN_LISTS: listSetting({
    default: [],
    defaultText: 'a short list of the service',
    about:
      'Files or addresses of token lists (https://tokenlists.org), comma-separated. They replace the short list for the networks they name.',
  }),
  CHAIN_INDEXERS: indexersSetting({
    about:
      'Indexers by CAIP-2 id: JSON such as `{"eip155:1":{"balances":"…","history":"…"}}`, where `balances` answers `alchemy_getTokenBalances` and `history` is an API like that of Etherscan. Keys are part of the addresses.',
    secret: true,
  }),
  SANCTIONS_API_KEY: optionalText({
    about:
      'Key of a screening service with the API of Chainalysis (`GET /address/{address}`), which is asked about wallets where an environment has screening on. Beside or instead of it: `npm run cli -- screening import`.',
    secret: true,
  }),
  SCAN_BLOCK_LISTS: listSetting({
    default: [],
    defaultText: 'none',
    about:
      'Files or addresses of lists of malicious sites, comma-separated: one name on a line, a hosts file, or the JSON of eth-phishing-detect.',
  }),
  SCAN_ALLOW_LISTS: listSetting({
    default: [],
    defaultText: 'none',
    about: 'The same of sites that are known to be good; names made to look like theirs are malicious.',
  }),
  BLOCKAID_API_KEY: optionalText({
    about: 'Key of a Blockaid account, which judges sites that no list names, and transactions that are simulated.',
    secret: true,
  }),
  WEBHOOK_RETRY_LIVE: waitsSetting({
    default: [0, 15, 60, 600, 3600, 21_600, 86_400, 172_800],
    about: 'Seconds before each attempt to deliver a message in a live environment; as many attempts as numbers.',
  }),
  WEBHOOK_RETRY_SANDBOX: waitsSetting({
    default: [0, 15, 45],
    about: 'The same in a sandbox, where somebody is looking at the screen.',
  }),
  CUSTOM_HOSTNAME_TARGET: hostNameSetting({
    about: 'Name that the host names of teams must be aliases (CNAME) of.',
    defaultText: 'host of PUBLIC_URL',
  }),
  DNS_SERVERS: listSetting({
    default: [],
    defaultText: 'those of the system',
    about: 'Addresses of the name servers that are asked for the records of host names, comma-separated.',
    item: isServerAddress,
    itemText: 'addresses such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353',
  }),
  SMTP_TLS: choiceSetting(['required', 'optional'], {
    default: (isProduction) => (isProduction ? 'required' : 'optional'),
    defaultText: '`optional`, in production `required`',
    about: 'Whether mail with its codes may go to the server of SMTP_URL without TLS, for one on the same machine.',
  }),
  SMTP_URL: urlSetting(['smtp:', 'smtps:'], {
    hosted: true,
    about: 'Mail server, with credentials. Without it mail goes to the development inbox.',
    defaultText: 'development inbox',
    secret: true,
  }),
  MAIL_FROM: textSetting({ default: 'Gatehouse <no-reply@gatehouse.localhost>', about: 'Sender of emails.' }),
  STRIPE_SECRET_KEY: optionalText({
    about:
      'Key of a Stripe account that takes the payments of organizations; see docs/running.md. Without it nobody pays.',
    secret: true,
  }),
  STRIPE_WEBHOOK_SECRET: optionalText({
    about: 'Signing secret of the endpoint at Stripe that sends to `PUBLIC_URL/billing/stripe/messages`.',
    defaultText: 'required with STRIPE_SECRET_KEY',
    secret: true,
  }),
  STRIPE_API_URL: textSetting({
    default: 'https://api.stripe.com',
    about: 'Address of the Stripe API: https, or loopback for tests. Nothing behind the host.',
  }),
  DELIVERY_RETENTION_DAYS: numberSetting({
    default: 30,
    min: 1,
    max: 3650,
    about: 'Days for which requests to webhooks and their answers are kept; messages and their state stay longer.',
  }),
  MESSAGE_RETENTION_DAYS: numberSetting({
    default: 90,
    min: 4,
    max: 3650,
    about: 'Days for which messages to webhooks are kept and can be sent again.',
  }),
  EVENT_RETENTION_DAYS: numberSetting({
    default: 90,
    min: 4,
    max: 3650,
    about: 'Days for which events are kept; at least as long as their messages.',
  }),
  EXPORT_STORE: objectStoreSetting({
    about:
      'Bucket for files of exports, at Amazon S3 or whatever speaks its protocol: `https://<key id>:<secret>@<host>/<bucket>/<folders>?region=<region>`, the secret percent-encoded. Files are sealed before they are sent.',
    defaultText: 'folder `exports` of DATA_DIR',
  }),
  RATE_LIMIT_SCALE: numberSetting({
    default: 1,
    min: 0.001,
    max: 1_000_000,
    whole: false,
    about: 'Multiplies every rate limit, for load tests. Tries of a code never scale.',
  }),
  ORGANIZATIONS: choiceSetting(['open', 'closed'], {
    default: (isProduction) => (isProduction ? 'closed' : 'open'),
    defaultText: '`open`, in production `closed`',
    about:
      'Whether any dashboard user may open an organization. While it is closed the operator makes them: `npm run cli -- organizations create`.',
  }),
  MAILS_PER_HOUR: numberSetting({
    default: 5_000,
    min: 1,
    max: 10_000_000,
    about: 'Emails of the whole deployment in an hour, at most; a brake on whoever makes it send to strangers.',
  }),
  SMS_PER_DAY: numberSetting({
    default: 1000,
    min: 1,
    max: 10_000_000,
    about: 'Text messages of one environment in 24 hours, at most; a brake on numbers that share in the price.',
  }),
  SEED: booleanSetting({
    default: (isProduction) => !isProduction,
    defaultText: '`true`, in production `false`',
    about: 'Create the quick-start organization and its data on first start.',
  }),
  DRAIN_SECONDS: numberSetting({
    default: (isProduction) => (isProduction ? 5 : 0),
    defaultText: '`0`, in production `5`',
    min: 0,
    max: 60,
    about: 'How long an instance that was told to stop still answers while `/readyz` says 503, so balancers notice.',
  }),
  LOG_LEVEL: choiceSetting(['error', 'warn', 'log', 'debug', 'verbose'], {
    default: 'log',
    about: 'Least severity that is logged.',
  }),
  LOG_REQUESTS: choiceSetting(['failed', 'all', 'none'], {
    default: 'failed',
    about: 'Requests that are logged: those answered 5xx or after more than a second, all of them, or none.',
  }),
  METRICS_PORT: optionalNumber({
    min: 0,
    max: 65535,
    about: 'TCP port where `/metrics` answers Prometheus; 0 takes a free one. Without it nothing is counted.',
    defaultText: 'off',
  }),
  METRICS_HOST: textSetting({
    default: '127.0.0.1',
    about: 'Address of the metrics, which ask for no credential: one that only the monitoring reaches.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlSetting(['http:', 'https:'], {
    about: 'Collector of OpenTelemetry traces, over HTTP; `/v1/traces` is added. Without it nothing is traced.',
    defaultText: 'off',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: headersSetting({
    about: 'Headers for the collector, such as its credential: `name=value`, percent-encoded, comma-separated.',
    secret: true,
  }),
  OTEL_TRACES_SAMPLER_ARG: numberSetting({
    default: 1,
    min: 0,
    max: 1,
    whole: false,
    about: 'Share of requests that are traced where the caller has not decided.',
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type SettingValues = { [N in SettingName]: ReturnType<(typeof SETTINGS)[N]['read']> };
