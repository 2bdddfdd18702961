import { describe, expect, it } from '@jest/globals';
import { Config } from '../config/index.js';
import { checklist } from './checklist.js';
import type { Deployment } from './deployment.js';
import type { Finding } from './finding.js';

const PUBLIC_URL = 'https://id.example.com';

/** A machine without an instance, as that of a worker is, which can reach the service at its public URL or not. */
async function found(answer: unknown): Promise<Record<string, Finding>> {
  const config = Config.load({ PUBLIC_URL });
  const deployment = {
    isRunning: async () => false,
    consoleKeys: async () => [{}],
    service: { health: async () => answer },
  } as unknown as Deployment;
  const findings: Record<string, Finding> = {};
  for (const { what, run } of checklist(config, deployment)) {
    if (what === 'Public URL' || what === 'Signing keys') findings[what] = await run();
  }
  return findings;
}

describe('the checks of a deployment', () => {
  it('count a service that answers at its public URL as running, wherever it runs', async () => {
    const { 'Public URL': url, 'Signing keys': keys } = await found({ status: 200, host: 'id.example.com' });
    expect([url?.state, keys?.state, keys?.meaning]).toEqual(['ok', 'ok', '1 published for the console']);
  });

  it.each([
    ['nobody', 'refused'],
    ['another service', { status: 200, host: null }],
  ])('look at no signing keys where %s answers', async (_who, answer) => {
    const { 'Signing keys': keys } = await found(answer);
    expect(keys?.state).toBe('warn');
  });

  it('does not say what an older schema holds, as during an upgrade', async () => {
    const empty = { smsGateways: [], chainNodes: [], heldVersions: [], storedSecret: null, consoleKeys: null };
    const read = Object.fromEntries(Object.entries(empty).map(([name, nothing]) => [name, async () => nothing]));
    const deployment = { isBehind: true, isRunning: async () => true, ...read } as unknown as Deployment;
    const checks = checklist(Config.load({ PUBLIC_URL }), deployment);
    const ofRows = checks.filter(({ what }) =>
      /^(?:SMS|Nodes of tenants|Custodians|Stored secrets|Signing keys)$/.test(what),
    );
    const findings = await Promise.all(ofRows.map(async ({ run }) => run()));
    expect(findings.map(({ state, meaning }) => [state, meaning])).toEqual(
      ofRows.map(() => ['warn', 'not checked: migrations are pending']),
    );
    expect(ofRows).toHaveLength(5);
  });
});
