import { emailOf, type PlantedCode } from '../../../bench/plant/tenant.js';
import { jsonOf, type Call, type Reply } from '../../load/client.js';
import { MailServer } from '../../servers/mail.js';
import { restartWith } from '../../world/restart.js';
import type { World } from '../../world/world.js';

export interface Person {
  readonly userId: string;
  readonly token: string;
}

/** Signs people in with planted codes and with mailed ones. */
export class People {
  private planted: number;

  private constructor(
    private readonly world: World,
    private readonly mail: MailServer,
    readonly consoleId: string,
  ) {
    this.planted = world.ground.tenant.codes.length;
  }

  /** Configures a mail server for the instances, which are restarted for it. */
  static async of(world: World): Promise<People> {
    const mail = world.add(await MailServer.start());
    await restartWith(world, world.apis, { SMTP_URL: mail.url, SMTP_TLS: 'optional' });
    const { rows } = await world.withDatabase((client) =>
      client.query<{ id: string }>(`SELECT id FROM environments WHERE kind = 'console'`),
    );
    return new People(world, mail, rows[0]?.id ?? '');
  }

  /** An unused code and its address; taken from the end, since the load takes them from the beginning. */
  plantedCode(): { code: PlantedCode; email: string } {
    this.planted -= 1;
    const code = this.world.ground.tenant.codes[this.planted];
    if (!code) throw new Error('No planted codes are left.');
    return { code, email: emailOf(this.planted) };
  }

  /** A code for the environment under test, or for the console. */
  async mailedCode(email: string, environmentId = this.world.ground.tenant.environmentId): Promise<PlantedCode> {
    const reply = await this.sdk('/emailVerifications/create', { body: { email } }, environmentId);
    const { verificationUUID } = jsonOf(reply) as { verificationUUID?: string };
    if (!verificationUUID) throw new Error(`No code for ${email}: ${reply.status ?? reply.error} ${reply.text}`);
    return { verificationUUID, verificationToken: await this.mail.take(email) };
  }

  redeem(code: PlantedCode, environmentId?: string): Promise<Reply> {
    return this.sdk('/emailVerifications/signin', { body: code }, environmentId);
  }

  async signIn(code: PlantedCode, environmentId?: string): Promise<Person> {
    const reply = await this.redeem(code, environmentId);
    const { jwt, user } = jsonOf(reply) as { jwt?: string; user?: { id: string } };
    if (!jwt || !user) throw new Error(`No session: ${reply.status ?? reply.error} ${reply.text}`);
    this.world.secrets.set(`session of ${user.id}`, jwt);
    return { userId: user.id, token: jwt };
  }

  /** Signs in to the console with a mailed code. */
  async console(email: string): Promise<Person> {
    return this.signIn(await this.mailedCode(email, this.consoleId), this.consoleId);
  }

  /** Calls a client operation. */
  sdk(
    below: string,
    { body, token }: { body?: object; token?: string },
    environmentId: string = this.world.ground.tenant.environmentId,
  ): Promise<Reply> {
    return this.as(token, { method: 'POST', path: `/sdk/${environmentId}${below}`, ...(body && { body }) });
  }

  /** Calls any operation. */
  as(token: string | undefined, { path, ...call }: Call): Promise<Reply> {
    const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` };
    return this.world.client.call({ ...call, path: `/api/v0${path}`, ...(headers && { headers }) });
  }
}
