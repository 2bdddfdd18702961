import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CanaryRun } from '../support/canary-run.js';
import { eventually } from '../support/receiver.js';
import { SecretScanner } from '../support/secret-scanner.js';
import { newEmail } from '../support/world.js';

/** Entropy, seed, phrase, four keys and three forms of wallets for each of five users; the rest of the run beside. */
const LEAST_SECRETS = 5 * 10;

describe('no secret is found in what the service leaves behind', () => {
  const scanner = new SecretScanner();
  let canary: CanaryRun;

  beforeAll(async () => {
    canary = await CanaryRun.start(scanner);
    await canary.webhook();
    await canary.environment();
    await canary.signIns();
    await canary.apiTokens();
    await canary.organization();
    await canary.wallets();
    await canary.failures();
    await canary.rotateKeys();
    await canary.signIns();
    await canary.wallets();
    await canary.collectSealed();
  }, 180_000);
  afterAll(() => canary.stop());

  it('neither in tables, Redis, logs and files, nor in what was sent to webhooks', async () => {
    const { findings, places } = await canary.scan();
    expect(scanner.size).toBeGreaterThan(LEAST_SECRETS);
    expect(places).toEqual(
      expect.arrayContaining([
        'table users',
        'table wallet_seeds',
        'table events',
        'table webhook_deliveries',
        'table sso_providers',
      ]),
    );
    expect(places).toEqual(expect.arrayContaining(['Redis commands', 'logs', 'webhook requests']));
    expect(canary.failed).toBeGreaterThan(3);
    expect(canary.log).toMatch(/requestId=.*check constraint/);
    expect(canary.log).toContain('Every sealed record is under the current master key');
    expect(findings).toEqual([]);
  }, 120_000);

  it('but a private key planted in a user is found wherever it went', async () => {
    const key = await canary.privateKey();
    const { world } = canary;
    const users = await world.api.post<{ user: { id: string } }>(world.path('/users'), { email: newEmail() });
    const { id } = users.body.user;
    await world.api.put(world.path(`/users/${id}`), { metadata: { note: key.toString('hex') } }, { expect: 200 });
    await eventually('the change is told', () => canary.receiver.of('user.updated').length === 1);

    const { findings } = await canary.scan();

    const leaked = findings.filter(({ secret }) => secret.startsWith('EVM key'));
    expect(leaked).toEqual(findings);
    expect(new Set(leaked.map(({ form }) => form))).toEqual(new Set(['hex']));
    expect(leaked.map(({ place }) => place)).toEqual(
      expect.arrayContaining(['table users', 'table events', 'webhook requests']),
    );
  }, 120_000);
});
