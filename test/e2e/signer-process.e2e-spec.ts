import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mnemonicToSeedSync } from '@scure/bip39';
import { generateMasterKey, parseKeyRing } from '../../src/vault/index.js';
import { TestClient } from '../support/client.js';
import { createDatabase, withClient, type TestDatabase } from '../support/postgres.js';
import { secretsInMemory } from '../support/process-memory.js';
import { eventually } from '../support/receiver.js';
import { ServiceProcess, type Environment } from '../support/service-process.js';
import { signersOf } from '../support/signers-of.js';
import { accountsOf, openEntropy, phraseOf, storedSeeds } from '../support/wallet-keys.js';
import { newEmail } from '../support/world.js';

const CHAINS = ['EVM', 'SOL', 'SUI', 'BTC'];
/** Chains that sign messages of any text. */
const SIGNING = ['EVM', 'SOL', 'SUI'];
const MASTER_KEY = 'master key';
/** While so many signatures are made, the memory is looked into so many times. */
const SIGNATURES = 1_000;
const LOOKS = 10;
const AT_ONCE = 8;
/** A key is in memory for the length of one signature: it may take many looks to meet one. */
const LOOKS_LIMIT_MS = 150_000;

interface Answer {
  status: number;
  code: string | undefined;
  retryAfter: string | null;
}

interface Person {
  jwt: string;
  userId: string;
  /** Ids of wallets by their chains. */
  wallets: Record<string, string>;
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

class Started {
  readonly masterKey = generateMasterKey();
  database!: TestDatabase;
  service!: ServiceProcess;

  constructor(private readonly settings: Environment) {}

  async start(): Promise<void> {
    this.database = await createDatabase();
    this.service = await ServiceProcess.start({
      DATA_DIR: mkdtempSync(join(tmpdir(), 'gatehouse-signer-')),
      DATABASE_URL: this.database.url,
      MASTER_KEY: this.masterKey,
      PORT: '0',
      RATE_LIMIT_SCALE: '1000000',
      ...this.settings,
    });
  }

  async stop(): Promise<void> {
    await this.service?.discard();
    await this.database?.drop();
  }

  get signers(): number[] {
    return signersOf(this.service.pid);
  }

  makeWallet(): Promise<Answer> {
    const { id, apiToken } = this.sandbox;
    const body = { identifier: newEmail(), type: 'email', chains: CHAINS };
    return this.post(`/environments/${id}/embeddedWallets`, apiToken, body);
  }

  sign({ jwt, wallets }: Person, chain: string): Promise<Answer> {
    const path = `/sdk/${this.sandbox.id}/users/embeddedWallets/${wallets[chain]}/sign`;
    return this.post(path, jwt, { kind: 'message', message: 'I agree.' });
  }

  /** Somebody who signs in and makes a wallet on every chain. */
  async newPerson(): Promise<Person> {
    const { id, apiToken } = this.sandbox;
    const client = new TestClient(this.service.url);
    const email = newEmail();
    const created = { expect: 201 } as const;
    const {
      body: { verificationUUID },
    } = await client.post<{ verificationUUID: string }>(`/sdk/${id}/emailVerifications/create`, { email }, created);
    const inbox = await fetch(this.service.quickstart.inbox, { headers: { accept: 'application/json' } });
    const letters = (await inbox.json()) as { to: string; code: string }[];
    const proof = { verificationUUID, verificationToken: letters.find(({ to }) => to === email)!.code };
    const { body } = await client.post<{ jwt: string; user: { id: string } }>(
      `/sdk/${id}/emailVerifications/signin`,
      proof,
      { expect: 200 },
    );
    const { jwt, user } = body;
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: CHAINS }];
    await client.post(`/sdk/${id}/users/embeddedWallets`, { embeddedWallets }, { token: jwt, ...created });
    const read = await client.get<{ user: { wallets: { id: string; chain: string }[] } }>(
      `/environments/${id}/users/${user.id}`,
      { token: apiToken, expect: 200 },
    );
    const wallets = Object.fromEntries(read.body.user.wallets.map((wallet) => [wallet.chain, wallet.id]));
    return { jwt, userId: user.id, wallets };
  }

  async statusOf(path: string): Promise<{ status: number; body: { reasons?: string[]; degraded?: string[] } }> {
    const answer = await fetch(`${this.service.url}${path}`);
    return { status: answer.status, body: (await answer.json()) as { reasons?: string[]; degraded?: string[] } };
  }

  /** Entropy, phrase, seed and the four private keys of a person, and the master key, which both kinds hold. */
  async secretsOf({ userId }: Person): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>([[MASTER_KEY, Buffer.from(this.masterKey)]]);
    for (const stored of await storedSeeds(this.database.url, userId)) {
      const entropy = await openEntropy(parseKeyRing(this.masterKey), stored);
      found.set('entropy', entropy).set('phrase', Buffer.from(phraseOf(entropy)));
      found.set('seed', Buffer.from(mnemonicToSeedSync(phraseOf(entropy))));
      for (const { chain, privateKey } of await accountsOf(entropy)) found.set(`${chain} key`, privateKey);
    }
    expect(found.size).toBe(4 + CHAINS.length);
    return found;
  }

  /** Has somebody sign, several times at once, until a look is over that is told how many signatures there are. */
  async whileSigning<T>(person: Person, look: (made: () => number) => Promise<T>): Promise<T> {
    let isOver = false;
    let made = 0;
    const keepSigning = async (): Promise<void> => {
      while (!isOver) {
        const { status } = await this.sign(person, SIGNING[made % SIGNING.length]!);
        // Whoever waits for a lock of a process that stands still is answered 503 in the end.
        if (status === 200) made++;
      }
    };
    const asked = Array.from({ length: AT_ONCE }, keepSigning);
    const looked = eventually('somebody signs', () => made > 0)
      .then(() => look(() => made))
      .finally(() => {
        isOver = true;
      });
    await Promise.all([looked, ...asked]);
    return looked;
  }

  /** A signer runs, and answers. */
  async untilWell(): Promise<void> {
    await eventually('nothing is worse than usual', async () => {
      const { status, body } = await this.statusOf('/readyz');
      return status === 200 && body.degraded?.length === 0;
    });
  }

  /** What of keys is seen in a process while they are used, at the first look that sees any of it. */
  seenInUse(person: Person, secrets: Map<string, Buffer>, pidOf: () => number | undefined): Promise<string[]> {
    return this.whileSigning(person, () =>
      eventually(
        'a key is in use',
        () => {
          const pid = pidOf();
          if (pid === undefined) return null;
          const seen = [...secretsInMemory(pid, secrets)].filter((name) => name !== MASTER_KEY);
          return seen.length > 0 ? seen : null;
        },
        LOOKS_LIMIT_MS,
      ),
    );
  }

  /** What was answered to requests for signatures, as the ledger has it. */
  verdictsOf({ userId }: Person): Promise<{ verdict: string; digest: Buffer | null }[]> {
    return withClient(this.database.url, async (client) => {
      const { rows } = await client.query<{ verdict: string; digest: Buffer | null }>(
        "SELECT verdict, digest FROM key_ledger WHERE user_id = $1 AND operation = 'sign' ORDER BY sequence",
        [userId],
      );
      return rows;
    });
  }

  private get sandbox(): { id: string; apiToken: string } {
    return this.service.quickstart.environments.sandbox;
  }

  /** Without the client of the other tests, which wants every status documented: 503 may answer any operation. */
  private async post(path: string, token: string, body: object): Promise<Answer> {
    const answer = await fetch(`${this.service.quickstart.api}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { code } = (await answer.json()) as { code?: string };
    return { status: answer.status, code, retryAfter: answer.headers.get('retry-after') };
  }
}

describe('keys in a process of their own', () => {
  const apart = new Started({});
  const together = new Started({ SIGNER: 'in-process' });
  beforeAll(async () => {
    await Promise.all([apart.start(), together.start()]);
  }, 300_000);
  afterAll(async () => {
    await Promise.allSettled([apart.stop(), together.stop()]);
  });

  it('are seen in the memory of the one that answers requests, when it opens them itself', async () => {
    expect(together.signers).toEqual([]);
    const person = await together.newPerson();
    expect(await together.seenInUse(person, await together.secretsOf(person), () => together.service.pid)).not.toEqual(
      [],
    );
  }, 300_000);

  it('are seen in the memory of the one that uses them, and not where requests are answered', async () => {
    const person = await apart.newPerson();
    const secrets = await apart.secretsOf(person);
    expect(await apart.seenInUse(person, secrets, () => apart.signers[0])).not.toEqual([]);
    const seen = new Set<string>();
    await apart.whileSigning(person, async (made) => {
      for (let look = 1; look <= LOOKS; look++) {
        for (const name of secretsInMemory(apart.service.pid, secrets)) seen.add(name);
        await eventually('more is signed', () => made() >= (SIGNATURES / LOOKS) * look, LOOKS_LIMIT_MS);
      }
      for (const name of secretsInMemory(apart.service.pid, secrets)) seen.add(name);
    });
    // For the other secrets of the service; it shows that the scan finds what is there.
    expect([...seen]).toEqual([MASTER_KEY]);
  }, 600_000);

  it('are opened by a child that leaves no core, lets nobody debug it by a signal and is told no secret openly', () => {
    const [signer] = apart.signers;
    const proc = (name: string): string => readFileSync(`/proc/${signer}/${name}`, 'utf8');
    expect(proc('limits')).toMatch(/^Max core file size\s+0\s+0/m);
    expect(`${proc('environ')}${proc('cmdline')}`).not.toContain(apart.masterKey);
    expect(proc('environ')).not.toContain('postgres');
    expect(proc('cmdline')).toContain('--disable-sigusr1');
  });

  it('are 503 at worst while it is killed again and again, nothing else is, and it comes back by itself', async () => {
    for (let round = 0; round < 4; round++) {
      await eventually('a signer runs', () => apart.signers.length === 1);
      const [killed] = apart.signers;
      const making = Promise.all(Array.from({ length: 20 }, () => apart.makeWallet()));
      process.kill(killed!, 'SIGKILL');
      // A busy machine may be late with the database; what is never a reason is the signer.
      const { body } = await apart.statusOf('/readyz');
      expect(body.reasons ?? []).not.toContain('The signer does not answer.');
      for (const { status, code, retryAfter } of await making) {
        expect([201, 503]).toContain(status);
        if (status === 503) expect({ code, retryAfter }).toEqual({ code: 'signer_unavailable', retryAfter: '1' });
      }
      await eventually('another one runs', () => apart.signers.length === 1 && apart.signers[0] !== killed);
    }
    await apart.untilWell();
    expect(await apart.makeWallet()).toMatchObject({ status: 201 });
  }, 120_000);

  it('leave a row that says so, and no signature, when it is lost while it signs', async () => {
    const person = await apart.newPerson();
    const [hung] = apart.signers;
    process.kill(hung!, 'SIGSTOP');
    expect((await apart.statusOf('/readyz')).body.degraded).toContain('The signer does not answer.');
    const refused = { status: 503, code: 'signer_unavailable', retryAfter: '1' };
    expect(await apart.sign(person, 'EVM')).toEqual(refused);
    // One that says nothing is given up and killed, as one that ended would be.
    await eventually('another one runs', () => apart.signers.length === 1 && apart.signers[0] !== hung);
    await apart.untilWell();
    expect(await apart.sign(person, 'EVM')).toMatchObject({ status: 200 });
    const [lost, made] = await apart.verdictsOf(person);
    expect([lost?.verdict, made?.verdict]).toEqual(['signer_unavailable', 'allowed']);
    expect(lost?.digest).toEqual(made?.digest);
  }, 120_000);

  it('end with the one that started them, however that ends', async () => {
    const [signer] = apart.signers;
    await apart.service.end('SIGKILL');
    await eventually('the signer is gone', () => !isAlive(signer!));
  });
});
