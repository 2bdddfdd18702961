import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOKEN_SCOPES } from '../../src/auth/index.js';
import { freePort } from './ports.js';
import { generateMasterKey, parseKeyRing } from '../../src/vault/index.js';
import { startTestApp } from './app.js';
import { addSealedSecrets } from './deployment-secrets.js';
import { IdentityProvider } from './identity-provider.js';
import { createDatabase, withClient, type TestDatabase } from './postgres.js';
import { Receiver, eventually } from './receiver.js';
import { redisUrl } from './redis.js';
import { RedisRecord } from './redis-record.js';
import type { Finding, SecretScanner } from './secret-scanner.js';
import { ServiceProcess, run, type Environment } from './service-process.js';
import { copyTables } from './table-copy.js';
import { accountsOf, openEntropy, storedSeeds } from './wallet-keys.js';
import { World, newEmail } from './world.js';

interface SignInAnswer {
  jwt: string;
  minifiedJwt: string;
}

/** Files in the data folder that exist to hold a secret, readable by their owner only. */
const KEY_FILES = ['master.key', 'postgres.password'];
/** Sent by every webhook of the run; its value is a secret of the receiver. */
const OWN_HEADER = 'x-receiver-key';
const CHAINS = ['EVM', 'SOL', 'SUI', 'BTC'];

/**
 * A deployment whose every secret is known: the service in a separate process at the highest log level, with its own
 * database and the real Redis. It does its main work, and then everything it left behind can be searched.
 */
export class CanaryRun {
  world!: World;
  private service!: ServiceProcess;
  private readonly logs: string[] = [];
  /** Every master key so far, newest first. */
  private masterKeys = '';
  private timesMade = 0;
  /** Calls that got a 5xx response. */
  failed = 0;

  private constructor(
    private readonly scanner: SecretScanner,
    private readonly database: TestDatabase,
    private readonly redis: RedisRecord,
    readonly receiver: Receiver,
    private readonly settings: Environment & { DATA_DIR: string },
    private readonly url: string,
  ) {}

  static async start(scanner: SecretScanner): Promise<CanaryRun> {
    const [database, port] = [await createDatabase(), await freePort()];
    const settings = {
      DATA_DIR: mkdtempSync(join(tmpdir(), 'gatehouse-canary-')),
      PORT: String(port),
      DATABASE_URL: database.url,
      REDIS_URL: redisUrl(),
      LOG_LEVEL: 'verbose',
      RATE_LIMIT_SCALE: '1000',
      SEED: 'false',
    };
    const redis = await RedisRecord.start(settings.REDIS_URL);
    const receiver = await Receiver.start();
    const made = new CanaryRun(scanner, database, redis, receiver, settings, `http://127.0.0.1:${port}`);
    await made.startService();
    made.masterKeys = made.keyFile;
    await made.provision();
    return made;
  }

  /** Signs in and out, also with wrong codes and used tokens. */
  async signIns(): Promise<void> {
    for (const at of [0, 1, 2]) {
      const email = newEmail();
      const { verificationUUID, code } = await this.sendCode(email, `code ${at}`);
      const body = { verificationUUID, verificationToken: code };
      await this.call('POST', this.world.sdk('/emailVerifications/signin'), { ...body, verificationToken: '000000' });
      // A JSON parser that quotes invalid input would reveal the code.
      await this.callRaw('POST', this.world.sdk('/emailVerifications/signin'), `${JSON.stringify(body)} ${code}`);
      await this.call('POST', this.world.sdk('/emailVerifications/signin'), { ...body, unknown: code });
      const signedIn = await this.world.anonymous.post<SignInAnswer>(
        this.world.sdk('/emailVerifications/signin'),
        body,
        {
          expect: 200,
        },
      );
      const { jwt } = this.keepTokens(`sign-in ${at}`, signedIn.body);
      await this.world.anonymous.get(this.world.sdk('/session'), { token: jwt, expect: 204 });
      await this.callRaw('GET', `${this.world.sdk('/session')}?token=${jwt}`);
      await this.callRaw('GET', this.world.sdk('/session'), undefined, `${jwt}x`);
      const refreshed = await this.world.anonymous.post<SignInAnswer>(this.world.sdk('/refresh'), undefined, {
        token: jwt,
      });
      const fresh = this.keepTokens(`refresh ${at}`, refreshed.body);
      if (at > 0)
        await this.world.anonymous.post(this.world.sdk('/revoke'), undefined, { token: fresh.jwt, expect: 204 });
      await this.call('POST', this.world.sdk('/emailVerifications/signin'), body);
    }
  }

  /** Creates tokens of both kinds, uses them, presents them where they are invalid, and deletes one. */
  async apiTokens(): Promise<void> {
    const { world, scanner } = this;
    const request = { note: 'canary', scopes: TOKEN_SCOPES.values };
    const token = await this.consoleSession();
    const made = await world.anonymous.post<{ token: { id: string; rawToken: string } }>(
      world.path('/tokens'),
      request,
      { token, expect: 201 },
    );
    const own = await world.anonymous.post<{ token: { rawToken: string } }>(
      '/user/tokens',
      { note: 'own' },
      { token, expect: 201 },
    );
    const { id, rawToken } = made.body.token;
    scanner.add('environment token', rawToken);
    scanner.add('personal token', own.body.token.rawToken);
    await world.api.get(world.path('/users'), { token: rawToken, expect: 200 });
    await this.callRaw('GET', `${world.path('/users')}/${rawToken}?access_token=${rawToken}`, undefined, rawToken);
    await this.callRaw('GET', world.path('/users'), undefined, `${rawToken.slice(0, -1)}_`);
    await world.owner.delete(world.path(`/tokens/${id}`), { expect: 204 });
    await this.callRaw('GET', world.path('/users'), undefined, rawToken);
  }

  /** A webhook for all events, with a header that only its receiver may see. Its secret is read once more. */
  async webhook(): Promise<void> {
    const { world } = this;
    const types = await world.api.get<{ name: string }[]>('/eventTypes', { expect: 200 });
    const events = types.body.map(({ name }) => name);
    const value = randomBytes(24).toString('base64url');
    this.scanner.add('header field of a webhook', value);
    const request = { url: this.receiver.url, isEnabled: true, events, headers: [{ name: OWN_HEADER, value }] };
    const { body } = await world.api.post<{ webhookId: string }>(world.path('/webhooks'), request, { expect: 201 });
    await world.api.get(world.path(`/webhooks/${body.webhookId}?includeSecret=true`), { expect: 200 });
    await world.api.put(world.path(`/webhooks/${body.webhookId}`), request, { expect: 200 });
  }

  /** A secret in the settings, also in rejected bodies, and an account with a fixed code. */
  async environment(): Promise<void> {
    const { world } = this;
    const secretKey = randomBytes(24).toString('base64url');
    const captcha = { enabled: false, secretKey };
    const token = await this.consoleSession();
    await world.owner.put(world.path(''), { security: { captcha } }, { token, expect: 200 });
    await world.owner.put(world.path(''), { security: { captcha, unknown: secretKey } }, { token, expect: 400 });
    await this.callRaw('PUT', world.path(''), `{"security": ${JSON.stringify(captcha)}`, token);
    const broken = JSON.stringify({ security: { captcha: { secretKey } } });
    await this.whileBroken('environment_secrets', () => this.callRaw('PUT', world.path(''), broken, token));
    await world.owner.post(world.path('/test/account'), undefined, { expect: 201 });
  }

  /** An invite whose link is opened, and single sign-on; both also while writes to their tables fail. */
  async organization(): Promise<void> {
    const { world, scanner } = this;
    const path = `/organizations/${world.ids.organizationId}`;
    const invite = { email: newEmail(), role: 'viewer' };
    await world.owner.post(`${path}/invites`, invite, { expect: 200 });
    const [token] = /ghi_\w+/.exec((await this.letterTo(invite.email)).text)!;
    scanner.add('token of an invite', token);
    const open = async () => (await fetch(`${this.url}/invites/${token}`)).status;
    await open();
    await this.whileBroken('invites', open);
    const clientSecret = randomBytes(24).toString('base64url');
    scanner.add('client secret', clientSecret);
    const provider = await IdentityProvider.start();
    const domains = { ssoDomain: provider.issuer, emailDomain: 'acme.example' };
    const setup = JSON.stringify({ clientId: 'a', clientSecret, provider: 'okta', ...domains });
    const session = await this.consoleSession();
    const setUp = () => this.callRaw('POST', `${path}/ssoProvider`, setup, session);
    await this.whileBroken('sso_providers', setUp);
    await this.callRaw('POST', `${path}/ssoProvider`, `${setup}!`, session);
    if ((await setUp()) !== 201) throw new Error('Single sign-on was not set up.');
    await provider.stop();
  }

  async wallets(): Promise<void> {
    const { world } = this;
    this.timesMade++;
    for (let at = 0; at < 4; at++) {
      const request = { identifier: newEmail(), type: 'email', chains: CHAINS };
      await world.api.post(world.path('/embeddedWallets'), request, { expect: 201 });
    }
    const frame = { email: newEmail(), fid: this.timesMade, chains: CHAINS };
    await world.api.post(world.path('/embeddedWallets/frameapp'), frame, { expect: 201 });
    await eventually('the wallets are told', () => this.receiver.of('wallet.created').length >= 20 * this.timesMade);
  }

  /** The same calls while writes fail: error logs are the likeliest place for a leak. */
  async failures(): Promise<void> {
    const { world } = this;
    const { verificationUUID, code } = await this.sendCode(newEmail(), 'code of a failure');
    const body = { verificationUUID, verificationToken: code };
    const signIn = () => this.call('POST', world.sdk('/emailVerifications/signin'), body);
    const prepared = { identifier: newEmail(), type: 'email', chains: CHAINS };
    const prepare = () => this.callRaw('POST', world.path('/embeddedWallets'), JSON.stringify(prepared), world.token);
    await this.whileBroken('sessions', signIn);
    await this.whileBroken('wallets', prepare);
    await this.whileBroken('wallet_seeds', prepare);
    await this.whileBroken('api_tokens', () => this.callRaw('GET', world.path('/users'), undefined, `${world.token}`));
    const answer = await world.anonymous.post<SignInAnswer>(world.sdk('/emailVerifications/signin'), body, {
      expect: 200,
    });
    const { jwt } = this.keepTokens('sign-in after a failure', answer.body);
    await this.whileBroken('sessions', () => this.callRaw('POST', world.sdk('/refresh'), undefined, jwt));
  }

  /** Replaces the master key as an operator does, and a signing key; then continues with only the new ones. */
  async rotateKeys(): Promise<void> {
    const nextKey = generateMasterKey();
    this.masterKeys = `${nextKey},${this.masterKeys}`;
    await this.cli('signing-keys', 'rotate', '--environment', this.world.environmentId);
    await this.cli('keys', 'status');
    await this.cli('keys', 'rewrap');
    await this.stopService();
    writeFileSync(join(this.settings.DATA_DIR, 'master.key'), `${nextKey}\n`, { mode: 0o600 });
    await this.startService();
  }

  /** Decrypts everything sealed, with this run's keys, and adds it to the scanner. */
  collectSealed(): Promise<void> {
    return addSealedSecrets(this.scanner, this.database.url, this.masterKeys);
  }

  /** A user's EVM private key, which must not be found anywhere. */
  async privateKey(): Promise<Buffer> {
    const [seed] = await storedSeeds(this.database.url);
    const accounts = await accountsOf(await openEntropy(parseKeyRing(this.masterKeys), seed!));
    return accounts[0]!.privateKey;
  }

  /** Searches everything the run has left behind, place by place. */
  async scan(): Promise<{ findings: Finding[]; places: string[] }> {
    const places = new Map<string, Buffer | string>();
    for (const { table, rows } of await copyTables(this.database.url)) places.set(`table ${table}`, rows);
    places.set('Redis content', await this.redis.content());
    places.set('Redis commands', this.redis.commands);
    places.set('logs', this.log);
    // The header is for the receiver, and must not be found anywhere else.
    const sent = this.receiver.received.map(
      ({ headers: { [OWN_HEADER]: _own, ...headers }, raw }) => `${JSON.stringify(headers)} ${raw.toString()}`,
    );
    places.set('webhook requests', sent.join('\n'));
    const { DATA_DIR } = this.settings;
    const files = readdirSync(DATA_DIR, { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile() && !KEY_FILES.includes(entry.name))) {
      places.set(`file ${file.name}`, readFileSync(join(file.parentPath, file.name)));
    }
    const findings = [...places].flatMap(([place, content]) => this.scanner.scan(place, content));
    return { findings, places: [...places].filter(([, content]) => content.length > 0).map(([place]) => place) };
  }

  async stop(): Promise<void> {
    await this.service.discard();
    await this.redis.stop();
    await this.receiver.stop();
    await this.database.drop();
  }

  /** The output of the service and of the operator's programs. */
  get log(): string {
    return [...this.logs, this.service.output].join('\n');
  }

  private get keyFile(): string {
    return readFileSync(join(this.settings.DATA_DIR, 'master.key'), 'utf8').trim();
  }

  private async startService(): Promise<void> {
    this.service = ServiceProcess.spawn(this.settings);
    await this.service.until(async () => (await fetch(`${this.url}/readyz`).catch(() => null))?.ok === true);
  }

  private async stopService(): Promise<void> {
    await this.service.end('SIGTERM');
    this.logs.push(this.service.output);
  }

  /** The tenant is created beside the service under test, which then handles all calls. */
  private async provision(): Promise<void> {
    const maker = await startTestApp({
      databaseUrl: this.database.url,
      masterKey: this.masterKeys,
      env: { ROLE: 'api' },
    });
    try {
      this.world = await World.create({ ...maker, url: this.url });
    } finally {
      await maker.close();
    }
    this.scanner.add('token of the world', this.world.token);
    this.scanner.add("owner's token", this.world.ownerToken);
  }

  /** A token of the owner, who has just signed in to the console. */
  private async consoleSession(): Promise<string> {
    const { consoleEnvironmentId } = this.world.ids;
    const { verificationUUID, code } = await this.sendCode(this.world.ownerEmail, 'code', consoleEnvironmentId);
    const body = { verificationUUID, verificationToken: code };
    const path = this.world.sdk('/emailVerifications/signin', consoleEnvironmentId);
    const signedIn = await this.world.anonymous.post<SignInAnswer>(path, body, { expect: 200 });
    return this.keepTokens('console', signedIn.body).jwt;
  }

  private async sendCode(
    email: string,
    name: string,
    environmentId?: string,
  ): Promise<{ verificationUUID: string; code: string }> {
    const verificationUUID = await this.world.sendCode(email, environmentId);
    const { code } = await this.letterTo(email);
    this.scanner.addWord(name, code);
    return { verificationUUID, code };
  }

  private async letterTo(email: string): Promise<{ code: string; text: string }> {
    const inbox = await fetch(`${this.url}/dev/inbox`, { headers: { accept: 'application/json' } });
    const letters = (await inbox.json()) as { to: string; code: string; text: string }[];
    return letters.find(({ to }) => to === email)!;
  }

  private keepTokens(name: string, tokens: SignInAnswer): SignInAnswer {
    for (const kind of ['jwt', 'minifiedJwt'] as const) {
      this.scanner.add(`${name}, ${kind}`, tokens[kind]);
      this.scanner.add(`${name}, signature of ${kind}`, tokens[kind].split('.')[2]!);
    }
    return tokens;
  }

  /** Makes calls while writing to a table fails with a description of the row, and while the table is missing. */
  private async whileBroken(table: string, call: () => Promise<number>): Promise<void> {
    const [rule, away] = [`${table}_never`, `${table}_away`];
    const breakages = [
      [
        `ALTER TABLE ${table} ADD CONSTRAINT ${rule} CHECK (false) NOT VALID`,
        `ALTER TABLE ${table} DROP CONSTRAINT ${rule}`,
      ],
      [`ALTER TABLE ${table} RENAME TO ${away}`, `ALTER TABLE ${away} RENAME TO ${table}`],
    ] as const;
    for (const [breakIt, mendIt] of breakages) {
      await withClient(this.database.url, (client) => client.query(breakIt));
      this.failed += (await call()) >= 500 ? 1 : 0;
      await withClient(this.database.url, (client) => client.query(mendIt));
    }
  }

  private call(method: string, path: string, body: object): Promise<number> {
    return this.callRaw(method, path, JSON.stringify(body));
  }

  /** A call whose response does not matter. */
  private async callRaw(method: string, path: string, body?: string, token?: string): Promise<number> {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const response = await fetch(`${this.url}/api/v0${path}`, { method, body, headers });
    await response.arrayBuffer();
    return response.status;
  }

  private async cli(...words: string[]): Promise<void> {
    const settings = { ...this.settings, MASTER_KEY: this.masterKeys };
    const { code, stdout, stderr } = await run(['node', 'scripts/run.js', 'cli', ...words], settings);
    this.logs.push(stdout, stderr);
    if (code !== 0) throw new Error(`cli ${words.join(' ')} ended with ${code}: ${stderr}`);
  }
}
