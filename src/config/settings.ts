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
  DATA_DIR: textSetting({ default: '.data', about: 'Folder for generated secrets and the built-in PostgreSQL.' }),
  DATABASE_URL: urlSetting(['postgres:', 'postgresql:'], {
    about: 'PostgreSQL 15 or newer. Without it a built-in server runs in DATA_DIR (development only).',
    defaultText: 'built-in server',
    secret: true,
  }),
  DATABASE_POOL: optionalNumber({
    min: 2,
    max: 200,
    about: 'Maximum number of PostgreSQL connections per instance.',
    defaultText: '15; 10 with `ROLE=api`, 5 with `ROLE=worker`',
  }),
  DATABASE_WAIT_MS: numberSetting({
    default: 2_000,
    min: 100,
    max: 30_000,
    about:
      'Milliseconds that a request waits for a PostgreSQL connection before it is answered with 503. A lock may take 1.5 times as long, a statement 2.5 times. A server that stops responding is given up after 5 times as long.',
  }),
  DATABASE_ROW_SECURITY: choiceSetting(['off', 'on'], {
    default: 'off',
    about:
      'Whether each statement tells PostgreSQL its tenant, so that row-level security policies restrict it to that tenant’s rows. `npm run migration:run` creates and drops the policies; see docs/running.md.',
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
    about:
      'Milliseconds to wait for a slow Redis. After that each instance counts its limits alone and tries Redis again once a second.',
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
      'Where the keys that protect stored secrets are kept: `local` (MASTER_KEY), `aws-kms` or `vault` (HashiCorp Vault, transit). The first one listed encrypts, all of them decrypt; see docs/running.md.',
    item: (text) => ['local', 'aws-kms', 'vault'].includes(text),
    itemText: 'local, aws-kms and vault',
  }),
  AWS_KMS_KEYS: listSetting({
    default: [],
    defaultText: 'required by `aws-kms`',
    about: 'ARNs of symmetric AWS KMS keys, the current one first, comma-separated.',
  }),
  AWS_ACCESS_KEY_ID: optionalText({ about: 'Credentials for AWS KMS.', defaultText: 'required by `aws-kms`' }),
  AWS_SECRET_ACCESS_KEY: optionalText({
    about: 'The secret that belongs to AWS_ACCESS_KEY_ID.',
    defaultText: 'required by `aws-kms`',
    secret: true,
  }),
  AWS_SESSION_TOKEN: optionalText({ about: 'Session token of temporary credentials.', secret: true }),
  AWS_KMS_ENDPOINT: optionalText({
    about: 'Address of KMS, for example of a VPC endpoint: https, or loopback for tests.',
    defaultText: 'that of the region',
  }),
  VAULT_ADDR: optionalText({
    about: 'Address of HashiCorp Vault: https, or loopback. NODE_EXTRA_CA_CERTS adds a private authority.',
    defaultText: 'required by `vault`',
  }),
  VAULT_NAMESPACE: optionalText({ about: 'Namespace of Vault Enterprise.' }),
  VAULT_TRANSIT_MOUNT: textSetting({ default: 'transit', about: 'Path at which the transit engine is mounted.' }),
  VAULT_TRANSIT_KEY: textSetting({ default: 'gatehouse', about: 'Name of the transit key, made with `derived=true`.' }),
  VAULT_TOKEN: optionalText({
    about: 'Token for Vault, if something else renews it. Otherwise set VAULT_ROLE_ID.',
    secret: true,
  }),
  VAULT_ROLE_ID: optionalText({ about: 'Role of the AppRole with which the service logs in to Vault by itself.' }),
  VAULT_SECRET_ID: optionalText({ about: 'The secret that belongs to VAULT_ROLE_ID.', secret: true }),
  ROLE: choiceSetting(['all', 'api', 'worker', 'signer'], {
    default: 'all',
    about:
      '`api` answers requests, `worker` delivers webhooks and runs background jobs, `all` does both; `signer` opens wallet keys for instances with `SIGNER=socket`.',
  }),
  SIGNER: choiceSetting(['own-process', 'in-process', 'socket'], {
    default: 'own-process',
    about:
      'Where wallet keys are opened: in a child process, in this process, or in a process with `ROLE=signer` that listens on SIGNER_SOCKET.',
  }),
  SIGNER_SOCKET: optionalText({
    about: 'Path of the Unix socket of a separate signer; at most 100 characters, in its own folder.',
    defaultText: '`signer/signer.sock` in DATA_DIR',
  }),
  SIGNER_SECRET: optionalText({
    about: 'Secret shared by a separate signer and its instances: 32 random characters or more.',
    defaultText: 'required by `ROLE=signer` and `SIGNER=socket`',
    secret: true,
  }),
  SIGNER_READS_KEYS: booleanSetting({
    default: false,
    about:
      'Whether the signer at SIGNER_SOCKET reads sealed keys from the database itself, so that instances and their database role do not have to; only with `SIGNER=socket`. See docs/running.md.',
  }),
  SIGNER_DATABASE_URL: urlSetting(['postgres:', 'postgresql:'], {
    about:
      'The database, with a role that may read sealed keys and nothing else. Only for `ROLE=signer`: an instance with this variable does not start.',
    defaultText: 'none: instances hand sealed keys over',
    secret: true,
  }),
  KEY_EXPORT_DELAY_HOURS: numberSetting({
    default: 0,
    min: 0,
    max: 168,
    about:
      'Hours between a user’s request for the private key of a wallet and the day on which it can be fetched. The user is notified by email and can stop the export by hiding the wallet. With 0 the key can be fetched immediately.',
  }),
  TIMING_SCALE: numberSetting({
    default: 1,
    min: 0.001,
    max: 1,
    whole: false,
    about: 'Scales sweeps, leases and pauses, for tests; production accepts only 1.',
  }),
  API_DOCS: booleanSetting({
    default: (isProduction) => !isProduction,
    defaultText: '`true`, in production `false`',
    about: 'Whether to serve /docs and /openapi.json; in production they are for members only.',
  }),
  TRUST_PROXY: listSetting({
    default: [],
    defaultText: 'none',
    about: 'Addresses or CIDRs of proxies whose X-Forwarded-For is trusted, comma-separated.',
  }),
  EGRESS_ALLOW: optionalText({
    about:
      'Hosts, host:port or CIDRs that outbound requests (webhooks, identity providers, networks and other vendors) may reach even though they are private or plain http, comma-separated.',
    defaultText: 'loopback in development, nothing in production',
  }),
  PROVIDER_ADDRESSES: addressesSetting({
    about:
      'Other addresses for vendors: JSON by provider type with `issuer`, or `authorize`, `token`, `profile` and `api`. EGRESS_ALLOW applies to them too.',
  }),
  TOKEN_LISTS: listSetting({
    default: [],
    defaultText: 'a short built-in list',
    about:
      'Files or addresses of token lists (https://tokenlists.org), comma-separated. They replace the built-in list for the networks they name.',
  }),
  CHAIN_INDEXERS: indexersSetting({
    about:
      'Indexers by CAIP-2 id: JSON such as `{"eip155:1":{"balances":"…","history":"…"}}`, where `balances` supports `alchemy_getTokenBalances` and `history` is an Etherscan-compatible API. API keys are part of the addresses.',
    secret: true,
  }),
  SANCTIONS_API_KEY: optionalText({
    about:
      'Key of a screening service with the Chainalysis API (`GET /address/{address}`), which checks wallets in environments that have screening on. In addition or instead: `npm run cli -- screening import`.',
    secret: true,
  }),
  SCAN_BLOCK_LISTS: listSetting({
    default: [],
    defaultText: 'none',
    about:
      'Files or addresses of lists of malicious sites, comma-separated: one name per line, a hosts file, or the JSON of eth-phishing-detect.',
  }),
  SCAN_ALLOW_LISTS: listSetting({
    default: [],
    defaultText: 'none',
    about: 'The same for sites known to be good; lookalikes of their names are treated as malicious.',
  }),
  BLOCKAID_API_KEY: optionalText({
    about: 'Key of a Blockaid account, which judges sites that are on no list, and simulated transactions.',
    secret: true,
  }),
  WEBHOOK_RETRY_LIVE: waitsSetting({
    default: [0, 15, 60, 600, 3600, 21_600, 86_400, 172_800],
    about: 'Seconds to wait before each delivery attempt in a live environment; one attempt per number.',
  }),
  WEBHOOK_RETRY_SANDBOX: waitsSetting({
    default: [0, 15, 45],
    about: 'The same in a sandbox, where a developer is watching.',
  }),
  CUSTOM_HOSTNAME_TARGET: hostNameSetting({
    about: 'Name to which custom hostnames of teams must point with a CNAME record.',
    defaultText: 'host of PUBLIC_URL',
  }),
  DNS_SERVERS: listSetting({
    default: [],
    defaultText: 'those of the system',
    about: 'Name servers used to check custom hostnames and email domains, comma-separated.',
    item: isServerAddress,
    itemText: 'addresses such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353',
  }),
  SMTP_TLS: choiceSetting(['required', 'optional'], {
    default: (isProduction) => (isProduction ? 'required' : 'optional'),
    defaultText: '`optional`, in production `required`',
    about: 'Whether the mail server at SMTP_URL must speak TLS; `optional` is for one on the same machine.',
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
      'Key of the Stripe account that receives payments from organizations; see docs/running.md. Without it there is no billing.',
    secret: true,
  }),
  STRIPE_WEBHOOK_SECRET: optionalText({
    about: 'Signing secret of the Stripe webhook endpoint that sends to `PUBLIC_URL/billing/stripe/messages`.',
    defaultText: 'required with STRIPE_SECRET_KEY',
    secret: true,
  }),
  STRIPE_API_URL: textSetting({
    default: 'https://api.stripe.com',
    about: 'Address of the Stripe API: https, or loopback for tests, without a path.',
  }),
  DELIVERY_RETENTION_DAYS: numberSetting({
    default: 30,
    min: 1,
    max: 3650,
    about: 'Days for which webhook requests and responses are kept. Messages and their state are kept longer.',
  }),
  MESSAGE_RETENTION_DAYS: numberSetting({
    default: 90,
    min: 4,
    max: 3650,
    about: 'Days for which webhook messages are kept and can be redelivered.',
  }),
  EVENT_RETENTION_DAYS: numberSetting({
    default: 90,
    min: 4,
    max: 3650,
    about: 'Days for which events are kept; no fewer than for their messages.',
  }),
  EXPORT_STORE: objectStoreSetting({
    about:
      'Bucket for export files, on Amazon S3 or a compatible service: `https://<key id>:<secret>@<host>/<bucket>/<folders>?region=<region>`, with the secret percent-encoded. Files are encrypted before upload.',
    defaultText: 'folder `exports` in DATA_DIR',
  }),
  RATE_LIMIT_SCALE: numberSetting({
    default: 1,
    min: 0.001,
    max: 1_000_000,
    whole: false,
    about: 'Multiplies every rate limit, for load tests. Attempts at a code are never scaled.',
  }),
  ORGANIZATIONS: choiceSetting(['open', 'closed'], {
    default: (isProduction) => (isProduction ? 'closed' : 'open'),
    defaultText: '`open`, in production `closed`',
    about:
      'Whether any dashboard user may create an organization. With `closed` only the operator can: `npm run cli -- organizations create`.',
  }),
  MAILS_PER_HOUR: numberSetting({
    default: 5_000,
    min: 1,
    max: 10_000_000,
    about: 'Maximum number of emails per hour for the whole deployment, which limits spam to strangers.',
  }),
  SMS_PER_DAY: numberSetting({
    default: 1000,
    min: 1,
    max: 10_000_000,
    about:
      'Maximum number of text messages per environment in 24 hours, which limits fraud with premium-rate numbers (SMS pumping).',
  }),
  SEED: booleanSetting({
    default: (isProduction) => !isProduction,
    defaultText: '`true`, in production `false`',
    about: 'Whether to create the quick-start organization and its data on first start.',
  }),
  DRAIN_SECONDS: numberSetting({
    default: (isProduction) => (isProduction ? 5 : 0),
    defaultText: '`0`, in production `5`',
    min: 0,
    max: 60,
    about: 'Seconds for which a stopping instance still answers while `/readyz` says 503, for load balancers.',
  }),
  LOG_LEVEL: choiceSetting(['error', 'warn', 'log', 'debug', 'verbose'], {
    default: 'log',
    about: 'Lowest severity that is logged.',
  }),
  LOG_REQUESTS: choiceSetting(['failed', 'all', 'none'], {
    default: 'failed',
    about: 'Which requests are logged: those answered with 5xx or after more than a second (`failed`), all or none.',
  }),
  METRICS_PORT: optionalNumber({
    min: 0,
    max: 65535,
    about: 'TCP port for Prometheus `/metrics`; 0 takes a free one. If unset, nothing is counted.',
    defaultText: 'off',
  }),
  METRICS_HOST: textSetting({
    default: '127.0.0.1',
    about: 'Address of `/metrics`, which needs no credential: use one that only your monitoring can reach.',
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
