import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Config, ConfigError } from '../src/config/index.js';
import { checkMasterKey } from '../src/doctor/checks/master-key.js';
import {
  Envelope,
  generateMasterKey,
  KeyVault,
  KeyVaultUnavailableError,
  openKeyVault,
  SealedBlobError,
  SecretBytes,
  type SealContext,
  type WrappedKey,
} from '../src/vault/index.js';
import { captureLog } from './support/log.js';
import { KEY_VAULT_CONTRACT, type VaultUnderTest } from './support/ports/key-vault-contract.js';
import { KmsServer } from './support/vaults/kms-server.js';
import { TransitServer } from './support/vaults/transit-server.js';

const CONTEXT: SealContext = { purpose: 'test', environmentId: 'e', subjectId: 's', kind: 'k' };

const kms = new KmsServer();
const transit = new TransitServer();
const opened: KeyVault[] = [];
let keys = 0;

beforeAll(() => Promise.all([kms.listen(), transit.listen()]));
afterEach(async () => {
  kms.mood = transit.mood = 'well';
  kms.said = transit.said = {};
  await Promise.all(opened.splice(0).map((vault) => vault.close()));
});
afterAll(() => Promise.all([kms.close(), transit.close()]));

/** A vault as the service opens it, from its settings. */
async function open(settings: Record<string, string>, ring = ''): Promise<KeyVault> {
  const vault = await openKeyVault(Config.load(settings), ring);
  opened.push(vault);
  return vault;
}

const newTransitKey = (): string => transit.addKey(`key-${++keys}`);

const ADAPTERS: readonly [string, () => Promise<VaultUnderTest>][] = [
  [
    'the key ring of this process',
    async () => {
      const old = generateMasterKey();
      return { vault: await open({}, old), rotate: () => open({}, `${generateMasterKey()},${old}`) };
    },
  ],
  [
    'AWS KMS',
    async () => {
      const old = kms.addKey();
      return { vault: await open(kms.settings(old)), rotate: () => open(kms.settings(kms.addKey(), old)) };
    },
  ],
  [
    'AWS KMS in two regions',
    async () => {
      const old = kms.addKey('us-east-1');
      return { vault: await open(kms.settings(old)), rotate: () => open(kms.settings(kms.addKey(), old)) };
    },
  ],
  [
    'HashiCorp Vault',
    async () => {
      const settings = transit.settings(newTransitKey());
      const rotate = (): Promise<KeyVault> => {
        transit.rotate(`key-${keys}`);
        return open(settings);
      };
      return { vault: await open(settings), rotate };
    },
  ],
  [
    'a vault that takes over from another',
    async () => {
      const ring = generateMasterKey();
      const both = { ...transit.settings(newTransitKey()), KEY_VAULT: 'vault,local' };
      return { vault: await open({}, ring), rotate: () => open(both, ring) };
    },
  ],
];

describe.each(ADAPTERS)('%s', (_name, subject) => {
  it.each(KEY_VAULT_CONTRACT)('$sentence', async ({ verify }) => {
    await expect(subject().then(verify)).resolves.toBeUndefined();
  });
});

/** Vaults outside of this process, with the settings of one that works. */
const REMOTE: readonly [string, KmsServer | TransitServer, () => Record<string, string>][] = [
  ['AWS KMS', kms, () => kms.settings(kms.addKey())],
  ['HashiCorp Vault', transit, () => transit.settings(newTransitKey())],
];

describe.each(REMOTE)('%s out of reach', (_name, server, settings) => {
  it.each(['away', 'silent', 'in trouble'] as const)(
    'is an outage while it is %s, and none afterwards',
    async (mood) => {
      const vault = await open(settings());
      const wrapped = await vault.wrap(SecretBytes.random(32), CONTEXT);
      const log = captureLog();
      server.mood = mood;
      const uses = [
        vault.newDataKey(CONTEXT),
        vault.unwrap(wrapped, CONTEXT),
        vault.rewrap(wrapped, CONTEXT),
        vault.health(),
      ];
      for (const outcome of await Promise.allSettled(uses)) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(KeyVaultUnavailableError) });
      }
      server.mood = 'well';
      await expect(vault.health()).resolves.toBeUndefined();
      log.stop();
      expect(log.text().match(/is available again/g)).toHaveLength(1);
      expect(log.text().trim().split('\n').length).toBeLessThanOrEqual(4);
    },
  );

  it('asks once more before it gives up', async () => {
    const vault = await open(settings());
    server.troubles = 2;
    await expect(vault.health()).resolves.toBeUndefined();
  });

  it('says nothing of keys in what it throws and logs', async () => {
    const log = captureLog();
    const vault = await open(settings());
    const dataKey = SecretBytes.random(32);
    const wrapped = await vault.wrap(dataKey, CONTEXT);
    server.mood = 'in trouble';
    const told = [
      await vault.wrap(dataKey, CONTEXT).catch(String),
      await vault.unwrap(wrapped, CONTEXT).catch(String),
      log.text(),
    ].join('\n');
    log.stop();
    expect(told).toContain('KeyVaultUnavailableError');
    for (const secret of [
      dataKey.expose().toString('base64'),
      dataKey.expose().toString('hex'),
      kms.credentials.secretAccessKey,
      kms.credentials.sessionToken,
      transit.role.secret,
      transit.staticToken,
      ...server.plaintexts,
    ]) {
      expect(told).not.toContain(secret);
    }
  });
});

/** Has no form as text: what makes one of it throws. */
const TEXTLESS = { toString: null };
const outage = expect.any(KeyVaultUnavailableError) as unknown;

describe.each(REMOTE)('an answer of %s', (_name, server, settings) => {
  it.each([
    ['shorter', randomBytes(16).toString('base64')],
    ['longer', randomBytes(33).toString('base64')],
    ['no base64', `${'A'.repeat(20)}!!${'A'.repeat(23)}=`],
    ['no text', TEXTLESS],
  ])('with a data key that is %s is an outage', async (_what, plaintext) => {
    const vault = await open(settings());
    const envelope = new Envelope(vault);
    const sealed = await envelope.seal(Buffer.from('secret'), CONTEXT);
    server.said = { plaintext };
    for (const use of [envelope.open(sealed, CONTEXT), envelope.seal(Buffer.from('secret'), CONTEXT)]) {
      await expect(use).rejects.toEqual(outage);
    }
  });

  it.each([
    ['a page', '<html>'],
    ['base64 with a hole', 'vault:v1:AAAA!AAA'],
    ['base64 that is cut', 'vault:v1:AAAAA'],
    ['no text', TEXTLESS],
  ])('with a wrapped key that is %s is an outage, and nothing that would never open', async (_what, text) => {
    const vault = await open(settings());
    server.said = { ciphertext: text, ciphertextblob: typeof text === 'string' ? text.split(':').at(-1) : text };
    await expect(vault.newDataKey(CONTEXT)).rejects.toEqual(outage);
    await expect(vault.wrap(SecretBytes.random(32), CONTEXT)).rejects.toEqual(outage);
  });
});

describe('a key ring elsewhere', () => {
  it('is an outage when KMS opens with another key than it was asked for', async () => {
    const vault = await open(kms.settings(kms.addKey()));
    const wrapped = await vault.wrap(SecretBytes.random(32), CONTEXT);
    kms.said = { keyid: kms.addKey() };
    await expect(vault.unwrap(wrapped, CONTEXT)).rejects.toEqual(outage);
  });

  it('refuses a blob whatever Vault says of it', async () => {
    const vault = await open(transit.settings(newTransitKey()));
    const wrapped = await vault.wrap(SecretBytes.random(32), CONTEXT);
    transit.said = { errors: [TEXTLESS, 7] };
    const altered = { ...wrapped, bytes: wrapped.bytes.subarray(1) };
    await expect(vault.unwrap(altered, CONTEXT)).rejects.toEqual(new SealedBlobError('not-authentic'));
  });

  it('is an outage, and not a refusal of what is sealed, when a proxy answers in place of Vault', async () => {
    const vault = await open(transit.settings(newTransitKey()));
    const wrapped = await vault.wrap(SecretBytes.random(32), CONTEXT);
    const altered = { ...wrapped, bytes: wrapped.bytes.subarray(1) };
    for (const errors of [undefined, 'Bad Request', []]) {
      transit.said = { errors };
      await expect(vault.unwrap(altered, CONTEXT)).rejects.toThrow('HashiCorp Vault refused decrypt (400).');
      await expect(vault.rewrap(altered, CONTEXT)).rejects.toEqual(outage);
    }
  });

  it('is not started with a transit key that Vault does not describe', async () => {
    const settings = transit.settings(newTransitKey());
    for (const said of [{ type: TEXTLESS }, { latest_version: 1.5 }, { latest_version: -1 }, { derived: 'true' }]) {
      transit.said = said;
      await expect(open(settings)).rejects.toThrow(ConfigError);
    }
  });

  it('is looked at by the doctor, who seals with it and opens', async () => {
    const settings = transit.settings(newTransitKey());
    const look = (): Promise<unknown> => checkMasterKey(() => openKeyVault(Config.load(settings), ''));
    expect(await look()).toMatchObject({
      state: 'ok',
      meaning: `seals and opens with key vault:transit/key-${keys}:v1`,
    });
    transit.mood = 'away';
    expect(await look()).toMatchObject({ state: 'fail', fix: expect.stringContaining('KEY_VAULT') });
  });

  it('sends each context of KMS as its encryption context, and lets KMS move keys by itself', async () => {
    const [old, fresh] = [kms.addKey(), kms.addKey()];
    const wrapped = await (await open(kms.settings(old))).wrap(SecretBytes.random(32), { ...CONTEXT, userId: 'u' });
    const { body } = kms.asked.at(-1)!;
    const EncryptionContext = { purpose: 'test', environmentId: 'e', userId: 'u', subjectId: 's', kind: 'k' };
    expect(JSON.parse(body)).toMatchObject({ KeyId: old, EncryptionContext });
    const rotated = await open(kms.settings(fresh, old));
    const decrypts = kms.count('Decrypt');
    expect((await rotated.rewrap(wrapped, { ...CONTEXT, userId: 'u' })).keyId).toBe(fresh);
    expect(kms.count('Decrypt')).toBe(decrypts);
  });

  it('is an outage, and not a refusal of what is sealed, when its key is disabled', async () => {
    const key = kms.addKey();
    const vault = await open(kms.settings(key));
    const wrapped = await vault.wrap(SecretBytes.random(32), CONTEXT);
    kms.disable(key);
    await expect(vault.unwrap(wrapped, CONTEXT)).rejects.toThrow('AWS KMS refused Decrypt: DisabledException.');
  });

  it('logs in to Vault once for all, and again when its token has been revoked', async () => {
    const before = transit.count('approle/login');
    const vault = await open(transit.settings(newTransitKey()));
    await Promise.all(Array.from({ length: 20 }, () => vault.health()));
    expect(transit.count('approle/login')).toBe(before + 1);
    transit.revokeTokens();
    await Promise.all(Array.from({ length: 20 }, () => vault.health()));
    expect(transit.count('approle/login')).toBe(before + 2);
  });

  it('does not log in for each call while its policy is gone: Vault keeps every token for a month', async () => {
    const before = transit.count('approle/login');
    const vault = await open(transit.settings(newTransitKey()));
    transit.hasNoPolicy = true;
    try {
      for (let calls = 0; calls < 10; calls++) await expect(vault.health()).rejects.toEqual(outage);
      await Promise.allSettled(Array.from({ length: 20 }, () => vault.health()));
      expect(transit.count('approle/login')).toBe(before + 2);
    } finally {
      transit.hasNoPolicy = false;
    }
    await expect(vault.health()).resolves.toBeUndefined();
    expect(transit.count('approle/login')).toBe(before + 2);
  });

  it('takes a token of Vault that somebody else renews', async () => {
    await expect((await open(transit.settings(newTransitKey(), 'token'))).health()).resolves.toBeUndefined();
  });

  it('wraps under a new version of a transit key from the moment at which it was rotated', async () => {
    const vault = await open(transit.settings(newTransitKey()));
    const before = vault.currentKeyId;
    transit.rotate(`key-${keys}`);
    expect((await vault.wrap(SecretBytes.random(32), CONTEXT)).keyId).toBe(`vault:transit/key-${keys}:v2`);
    expect([before, vault.currentKeyId]).toEqual([`vault:transit/key-${keys}:v1`, `vault:transit/key-${keys}:v2`]);
  });

  it('raises the least version of a transit key, and what is older opens no more', async () => {
    const settings = transit.settings(newTransitKey());
    const old = await (await open(settings)).wrap(SecretBytes.random(32), CONTEXT);
    transit.rotate(`key-${keys}`);
    const vault = await open(settings);
    expect(await vault.retireOlderKeys()).toBe('Vault decrypts no version below 2 any more.');
    expect(transit.minimumOf(`key-${keys}`)).toBe(2);
    await expect(vault.unwrap(old, CONTEXT)).rejects.toEqual(new SealedBlobError('unknown-key'));
    expect(await vault.retireOlderKeys()).toBe('Vault decrypts no version below 2.');
  });

  it('does not raise it right after a rotation, nor when there was another one meanwhile', async () => {
    const key = newTransitKey();
    transit.rotate(key, 60);
    const vault = await open(transit.settings(key));
    await expect(vault.retireOlderKeys()).rejects.toThrow('rotated less than five minutes ago');
    for (const time of [1e300, 'yesterday', null]) {
      transit.said = { 2: time };
      await expect(vault.retireOlderKeys()).rejects.toThrow('rotated less than five minutes ago');
    }
    transit.said = {};
    transit.rotate(key);
    await expect(vault.retireOlderKeys()).rejects.toThrow('rotated meanwhile');
    expect(transit.minimumOf(key)).toBe(1);
  });
});

describe('the settings of a vault', () => {
  const aws = (): Record<string, string> => kms.settings(kms.addKey());
  const vault = (): Record<string, string> => transit.settings(newTransitKey());

  it.each<[string, () => Record<string, string>, RegExp]>([
    ['an unknown vault', () => ({ KEY_VAULT: 'azure' }), /^KEY_VAULT must be a list of local, aws-kms and vault/],
    ['a vault twice', () => ({ KEY_VAULT: 'local,local' }), /^KEY_VAULT names a vault twice/],
    ['no key', () => ({ ...aws(), AWS_KMS_KEYS: '' }), /^AWS_KMS_KEYS is missing/],
    ['an alias', () => ({ ...aws(), AWS_KMS_KEYS: 'alias/gatehouse' }), /entry 1 must be the ARN of a key/],
    ['no credentials', () => ({ ...aws(), AWS_SECRET_ACCESS_KEY: '' }), /^AWS_SECRET_ACCESS_KEY is missing/],
    [
      'a plain endpoint',
      () => ({ ...aws(), AWS_KMS_ENDPOINT: 'http://kms.example.com' }),
      /^AWS_KMS_ENDPOINT must be https/,
    ],
    [
      'a wrong secret',
      () => ({ ...aws(), AWS_SECRET_ACCESS_KEY: 'wrong' }),
      /InvalidSignatureException\. Please check/,
    ],
    [
      'a key that is not there',
      () => kms.settings(kms.addKey().replace(/.$/, 'x')),
      /NotFoundException\. Please check/,
    ],
    ['no address', () => ({ ...vault(), VAULT_ADDR: '' }), /^VAULT_ADDR is missing/],
    ['a plain address', () => ({ ...vault(), VAULT_ADDR: 'http://vault.example.com' }), /^VAULT_ADDR must be https/],
    ['a path', () => ({ ...vault(), VAULT_ADDR: 'https://vault.example.com/v1' }), /^VAULT_ADDR must be https/],
    ['two logins', () => ({ ...vault(), VAULT_TOKEN: 'hunter2' }), /^Vault needs either VAULT_TOKEN or VAULT_ROLE_ID/],
    ['half an AppRole', () => ({ ...vault(), VAULT_SECRET_ID: '' }), /^VAULT_SECRET_ID is missing/],
    [
      'a wrong AppRole',
      () => ({ ...vault(), VAULT_SECRET_ID: 'hunter2' }),
      /refused the AppRole \(400\)\. Please check/,
    ],
    [
      'another namespace',
      () => ({ ...vault(), VAULT_NAMESPACE: 'other' }),
      /refused the AppRole \(403\)\. Please check/,
    ],
    ['an unknown key', () => ({ ...vault(), VAULT_TRANSIT_KEY: 'other' }), /no such transit mount or key/],
    ['a bad key name', () => ({ ...vault(), VAULT_TRANSIT_KEY: 'a/b' }), /^VAULT_TRANSIT_KEY must be the name/],
    ['a bad mount', () => ({ ...vault(), VAULT_TRANSIT_MOUNT: '../sys' }), /^VAULT_TRANSIT_MOUNT must be a path/],
    [
      'a key that binds no context',
      () => transit.settings(transit.addKey(`loose-${++keys}`, { derived: false })),
      /^The transit key loose-\d+ does not bind what it encrypts to its row: make one with derived=true/,
    ],
    [
      'a vault that is away',
      () => ({ ...vault(), VAULT_ADDR: 'http://127.0.0.1:1' }),
      /cannot be reached \(\w+\)\. Please/,
    ],
  ])('with %s are refused in one line that says what to do', async (_name, settings, message) => {
    const attempt = await Promise.resolve()
      .then(() => open(settings()))
      .catch((error: unknown) => error as Error);
    expect(attempt).toMatchObject({ name: 'ConfigError', message: expect.stringMatching(message) });
    expect((attempt as Error).message).not.toMatch(/hunter2|\n/);
  });
});

/** Keeps data keys as they are: every promise of a vault is broken. */
class GlassVault extends KeyVault {
  constructor(readonly currentKeyId: string) {
    super();
  }

  async wrap(dataKey: SecretBytes): Promise<WrappedKey> {
    return { keyId: this.currentKeyId, bytes: Buffer.from(dataKey.expose()) };
  }

  async unwrap(wrapped: WrappedKey): Promise<SecretBytes> {
    return SecretBytes.from(Buffer.from(wrapped.bytes));
  }

  async rewrap(wrapped: WrappedKey): Promise<WrappedKey> {
    return wrapped;
  }

  async retireOlderKeys(): Promise<string> {
    return '';
  }

  override async health(): Promise<void> {
    throw new Error('made of glass');
  }
}

describe('the contract of key vaults', () => {
  it('is broken by a vault that protects nothing, in all it can break', async () => {
    const glass = { vault: new GlassVault('one key'), rotate: async () => new GlassVault('another') };
    const broken: string[] = [];
    for (const { sentence, verify } of KEY_VAULT_CONTRACT) await verify(glass).catch(() => broken.push(sentence));
    expect(broken).toEqual(
      KEY_VAULT_CONTRACT.map(({ sentence }) => sentence).filter((sentence) => !sentence.startsWith('gives back')),
    );
  });
});
