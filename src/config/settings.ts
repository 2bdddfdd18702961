import { objectStoreSetting } from './object-store.js';
import {
  addressesSetting,
  booleanSetting,
  choiceSetting,
  credentialSetting,
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
  PORT: numberSetting({ default: 3000, min: 0, max: 65535, about: 'TCP port of the API; 0 picks a free one.' }),
  HOST: textSetting({
    default: (isProduction) => (isProduction ? '0.0.0.0' : '127.0.0.1'),
    defaultText: '`127.0.0.1`, in production `0.0.0.0`',
    about: 'Address the API listens on.',
  }),
  PUBLIC_URL: urlSetting(['http:', 'https:'], {
    about: 'URL of the service for clients, without a path; links, token issuers and pages are built only from it.',
    defaultText: '`http://localhost:PORT`, required in production',
  }),
  DATA_DIR: textSetting({ default: '.data', about: 'Folder for generated secrets and the built-in PostgreSQL.' }),
  DATABASE_URL: urlSetting(['postgres:', 'postgresql:'], {
    isDatabase: true,
    about: 'PostgreSQL 15 or newer. If unset, a built-in server runs in DATA_DIR (development only).',
    defaultText: 'built-in server',
    secret: true,
  }),
  DATABASE_POOL: optionalNumber({
    min: 2,
    max: 200,
    about: 'Maximum number of connections from one instance to PostgreSQL.',
    defaultText: '15; 10 with `ROLE=api`, 5 with `ROLE=worker`',
  }),
  DATABASE_WAIT_MS: numberSetting({
    default: 2_000,
    min: 100,
    max: 30_000,
    about:
      'Milliseconds a request waits for a connection to PostgreSQL before it fails with 503. The lock timeout is 1.5 times as long, the statement timeout 2.5 times; an unresponsive server is given up after 5 times as long.',
  }),
  DATABASE_ROW_SECURITY: choiceSetting(['off', 'on'], {
    default: 'off',
    about:
      'Whether each statement tells PostgreSQL its tenant, so that row-level security policies restrict it to the rows of that tenant. `npm run migration:run` creates and drops the policies; see docs/running.md.',
  }),
  REDIS_URL: urlSetting(['redis:', 'rediss:'], {
    isRedis: true,
    about: 'Redis 6 or newer for wake-ups and rate limits. Required with two or more instances.',
    defaultText: 'in-process',
    secret: true,
  }),
  REDIS_WAIT_MS: numberSetting({
    default: 200,
    min: 50,
    max: 30_000,
    about: 'Milliseconds to wait for a slow Redis, at most once per second; then each instance counts limits alone.',
  }),
  MASTER_KEY: optionalText({
    about:
      'Key ring of the `local` vault, which protects every stored secret: keys of 32 bytes in base64 or hex, newest first, comma-separated. Generated in DATA_DIR in development.',
    defaultText: 'generated in development, required in production',
    secret: true,
  }),
  KEY_VAULT: listSetting({
    default: ['local'],
    about:
      'Where the keys that protect stored secrets are kept: `local` (MASTER_KEY), `aws-kms` or `vault` (HashiCorp Vault, transit). The first one encrypts, all of them decrypt; see docs/running.md.',
    item: (text) => ['local', 'aws-kms', 'vault'].includes(text),
    itemText: 'local, aws-kms and vault',
  }),
  AWS_KMS_KEYS: listSetting({
    default: [],
    defaultText: 'required by `aws-kms`',
    about: 'ARNs of symmetric AWS KMS keys, the current one first, comma-separated.',
  }),
  AWS_ACCESS_KEY_ID: credentialSetting({ about: 'Credentials for AWS KMS.', defaultText: 'required by `aws-kms`' }),
  AWS_SECRET_ACCESS_KEY: optionalText({
    about: 'Secret for AWS_ACCESS_KEY_ID.',
    defaultText: 'required by `aws-kms`',
    secret: true,
  }),
  AWS_SESSION_TOKEN: credentialSetting({ about: 'Session token of temporary credentials.', secret: true }),
  AWS_KMS_ENDPOINT: optionalText({
    about: 'URL of KMS, such as a VPC endpoint: https, or loopback for tests.',
    defaultText: 'that of the region',
  }),
  VAULT_ADDR: optionalText({
    about: 'URL of HashiCorp Vault: https, or loopback. Set NODE_EXTRA_CA_CERTS for a private certificate authority.',
    defaultText: 'required by `vault`',
  }),
  VAULT_NAMESPACE: optionalText({ about: 'Namespace of Vault Enterprise.' }),
  VAULT_TRANSIT_MOUNT: textSetting({ default: 'transit', about: 'Path at which the transit engine is mounted.' }),
  VAULT_TRANSIT_KEY: textSetting({ default: 'gatehouse', about: 'Transit key, created with `derived=true`.' }),
  VAULT_TOKEN: credentialSetting({
    about: 'Token for Vault, if something else renews it. Otherwise use VAULT_ROLE_ID.',
    secret: true,
  }),
  VAULT_ROLE_ID: optionalText({ about: 'Role id of the AppRole with which the service logs in to Vault.' }),
  VAULT_SECRET_ID: optionalText({ about: 'Secret for VAULT_ROLE_ID.', secret: true }),
  ROLE: choiceSetting(['all', 'api', 'worker', 'signer'], {
    default: 'all',
    about:
      '`api` serves requests, `worker` runs background jobs such as webhook delivery, `all` does both; `signer` decrypts wallet keys for instances with `SIGNER=socket`.',
  }),
  SIGNER: choiceSetting(['own-process', 'in-process', 'socket'], {
    default: 'own-process',
    about:
      'Where wallet keys are decrypted: in a child process, in this process, or in a standalone one with `ROLE=signer` that listens on SIGNER_SOCKET.',
  }),
  SIGNER_SOCKET: optionalText({
    about: 'Path of the Unix socket of a standalone signer; at most 100 characters, in its own folder.',
    defaultText: '`signer/signer.sock` in DATA_DIR',
  }),
  SIGNER_SECRET: optionalText({
    about: 'Shared secret of a standalone signer and its instances: at least 32 random characters.',
    defaultText: 'required by `ROLE=signer` and `SIGNER=socket`',
    secret: true,
  }),
  SIGNER_READS_KEYS: booleanSetting({
    default: false,
    about:
      'Whether the signer at SIGNER_SOCKET reads sealed keys from the database itself, so that the role of the instances needs no access to them; only with `SIGNER=socket`. See docs/running.md.',
  }),
  SIGNER_DATABASE_URL: urlSetting(['postgres:', 'postgresql:'], {
    isDatabase: true,
    about:
      'The database, with a role that may only read sealed keys. Only for `ROLE=signer`: an instance with this setting does not start.',
    defaultText: 'none: instances pass sealed keys to the signer',
    secret: true,
  }),
  KEY_EXPORT_DELAY_HOURS: numberSetting({
    default: 0,
    min: 0,
    max: 168,
    about:
      'Hours before a private key requested by a user can be retrieved, for a day. The user is told by mail and can cancel by hiding the wallet. 0 means at once.',
  }),
  TIMING_SCALE: numberSetting({
    default: 1,
    min: 0.001,
    max: 1,
    whole: false,
    about: 'Scales sweeps, leases and pauses, for tests; must be 1 in production.',
  }),
  API_DOCS: booleanSetting({
    default: (isProduction) => !isProduction,
    defaultText: '`true`, in production `false`',
    about: 'Whether to serve /docs and /openapi.json; in production only to members.',
  }),
  TRUST_PROXY: listSetting({
    default: [],
    defaultText: 'none',
    about: 'Addresses or CIDRs of proxies whose X-Forwarded-For is trusted, comma-separated.',
  }),
  EGRESS_ALLOW: optionalText({
    about: 'Hosts, host:port or CIDRs that webhooks and SSO may reach even if private or plain http, comma-separated.',
    defaultText: 'loopback in development, nothing in production',
  }),
  PROVIDER_ADDRESSES: addressesSetting({
    about:
      'Overrides vendor URLs: JSON by provider type, or another vendor of `src/config/vendor-names.ts`, with `issuer`, or `authorize`, `token`, `profile` and `api`. EGRESS_ALLOW applies to them as to any other.',
  }),
  TOKEN_LISTS: listSetting({
    default: [],
    defaultText: 'a short built-in list',
    about:
      'Files or URLs of token lists (https://tokenlists.org), comma-separated. They replace the built-in list for the networks they cover.',
  }),
  CHAIN_INDEXERS: indexersSetting({
    about:
      'Indexers by CAIP-2 id: JSON such as `{"eip155:1":{"balances":"…","history":"…"}}`, where `balances` supports `alchemy_getTokenBalances` and `history` is an Etherscan-compatible API. API keys are part of the URLs.',
    secret: true,
  }),
  SANCTIONS_API_KEY: credentialSetting({
    about:
      'API key of a screening service with the Chainalysis API (`GET /address/{address}`), used in environments with screening enabled. In addition or instead: `npm run cli -- screening import`.',
    secret: true,
  }),
  SCAN_BLOCK_LISTS: listSetting({
    default: [],
    defaultText: 'none',
    about:
      'Files or URLs of lists of malicious sites, comma-separated: one name per line, a hosts file, or the JSON of eth-phishing-detect.',
  }),
  SCAN_ALLOW_LISTS: listSetting({
    default: [],
    defaultText: 'none',
    about: 'The same for trusted sites; lookalikes of their names count as malicious.',
  }),
  BLOCKAID_API_KEY: credentialSetting({
    about: 'API key of a Blockaid account, used to assess unlisted sites and simulated transactions.',
    secret: true,
  }),
  WEBHOOK_RETRY_LIVE: waitsSetting({
    default: [0, 15, 60, 600, 3600, 21_600, 86_400, 172_800],
    about: 'Seconds before each delivery attempt in a live environment; one attempt per number.',
  }),
  WEBHOOK_RETRY_SANDBOX: waitsSetting({
    default: [0, 15, 45],
    about: 'The same in a sandbox, where a developer is waiting for the result.',
  }),
  CUSTOM_HOSTNAME_TARGET: hostNameSetting({
    about: 'CNAME target for the custom host names of teams.',
    defaultText: 'host of PUBLIC_URL',
  }),
  DNS_SERVERS: listSetting({
    default: [],
    defaultText: 'those of the system',
    about: 'Addresses of the name servers used to check the DNS records of host names, comma-separated.',
    item: isServerAddress,
    itemText: 'addresses such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353',
  }),
  SMTP_TLS: choiceSetting(['required', 'optional'], {
    default: (isProduction) => (isProduction ? 'required' : 'optional'),
    defaultText: '`optional`, in production `required`',
    about: 'Whether mail to the server in SMTP_URL requires TLS; `optional` is for a server on the same machine.',
  }),
  SMTP_URL: urlSetting(['smtp:', 'smtps:'], {
    hosted: true,
    about: 'Mail server, with credentials. If unset, mail goes to the development inbox; production sends none.',
    defaultText: 'development inbox',
    secret: true,
  }),
  MAIL_FROM: textSetting({ default: 'Gatehouse <no-reply@gatehouse.localhost>', about: 'Sender of emails.' }),
  STRIPE_SECRET_KEY: credentialSetting({
    about: 'Secret key of the Stripe account that collects payments; see docs/running.md. If unset, nobody pays.',
    secret: true,
  }),
  STRIPE_WEBHOOK_SECRET: optionalText({
    about: 'Signing secret of the Stripe webhook endpoint for `PUBLIC_URL/billing/stripe/messages`.',
    defaultText: 'required with STRIPE_SECRET_KEY',
    secret: true,
  }),
  STRIPE_API_URL: textSetting({
    default: 'https://api.stripe.com',
    about: 'URL of the Stripe API: https, or loopback for tests, without a path.',
  }),
  DELIVERY_RETENTION_DAYS: numberSetting({
    default: 30,
    min: 1,
    max: 3650,
    about: 'Days for which webhook requests and responses are kept; messages and their state are kept longer.',
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
      'Bucket for export files, at Amazon S3 or a compatible store: `https://<key id>:<secret>@<host>/<bucket>/<folders>?region=<region>`, the secret percent-encoded. Files are encrypted before upload.',
    defaultText: 'folder `exports` in DATA_DIR',
  }),
  RATE_LIMIT_SCALE: numberSetting({
    default: 1,
    min: 0.001,
    max: 1_000_000,
    whole: false,
    about: 'Multiplies every rate limit, for load tests. The number of attempts per code is not scaled.',
  }),
  ORGANIZATIONS: choiceSetting(['open', 'closed'], {
    default: (isProduction) => (isProduction ? 'closed' : 'open'),
    defaultText: '`open`, in production `closed`',
    about:
      'Whether any dashboard user may create an organization. If `closed`, only the operator can: `npm run cli -- organizations create`.',
  }),
  MAILS_PER_HOUR: numberSetting({
    default: 5_000,
    min: 1,
    max: 10_000_000,
    about: 'Maximum number of emails per hour in the whole deployment, against abuse for spam.',
  }),
  SMS_PER_DAY: numberSetting({
    default: 1000,
    min: 1,
    max: 10_000_000,
    about: 'Maximum number of text messages per environment in 24 hours, against premium-rate fraud.',
  }),
  SEED: booleanSetting({
    default: (isProduction) => !isProduction,
    defaultText: '`true`, in production `false`',
    about: 'Whether to create the quick-start organization and its data on the first start.',
  }),
  DRAIN_SECONDS: numberSetting({
    default: (isProduction) => (isProduction ? 5 : 0),
    defaultText: '`0`, in production `5`',
    min: 0,
    max: 60,
    about: 'Seconds a stopping instance still serves requests while `/readyz` returns 503, so load balancers notice.',
  }),
  LOG_LEVEL: choiceSetting(['error', 'warn', 'log', 'debug', 'verbose'], {
    default: 'log',
    about: 'Lowest severity that is logged.',
  }),
  LOG_REQUESTS: choiceSetting(['failed', 'all', 'none'], {
    default: 'failed',
    about: 'Which requests are logged: those with a 5xx response or longer than a second, all, or none.',
  }),
  METRICS_PORT: optionalNumber({
    min: 0,
    max: 65535,
    about: 'TCP port of `/metrics` for Prometheus; 0 picks a free one. If unset, no metrics are collected.',
    defaultText: 'off',
  }),
  METRICS_HOST: textSetting({
    default: '127.0.0.1',
    about: 'Address of the metrics, which require no credential: use one that only the monitoring can reach.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlSetting(['http:', 'https:'], {
    about: 'OpenTelemetry trace collector, over HTTP; `/v1/traces` is appended. If unset, nothing is traced.',
    defaultText: 'off',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: headersSetting({
    about: 'Headers for the collector, such as credentials: `name=value`, percent-encoded, comma-separated.',
    secret: true,
  }),
  OTEL_TRACES_SAMPLER_ARG: numberSetting({
    default: 1,
    min: 0,
    max: 1,
    whole: false,
    about: 'Share of requests that are traced if the caller has not decided.',
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type SettingValues = { [N in SettingName]: ReturnType<(typeof SETTINGS)[N]['read']> };
