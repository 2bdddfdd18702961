import { setTimeout as delay } from 'node:timers/promises';
import type { Tenant } from '../plant/tenant.js';
import type { ReceiverQuestion, Seen } from '../receiver/receiver.js';
import { monotonicMs } from '../monotonic.js';
import type { Program } from '../stack/program.js';
import { ask } from './same-shape.js';

export type Receiver = Program<ReceiverQuestion, Seen>;

const headersOf = ({ token }: Tenant): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
});

/** Creates a webhook for the receiver, and waits until its initial ping has arrived. */
export async function createWebhook(
  { origin, tenant, receiver }: { origin: string; tenant: Tenant; receiver: Receiver },
  { path, events }: { path: string; events: readonly string[] },
): Promise<string> {
  const { port } = await receiver.ask({ ask: 'forget' });
  const body = JSON.stringify({ url: `http://127.0.0.1:${port}/${path}`, isEnabled: true, events });
  const webhooks = `/api/v0/environments/${tenant.environmentId}/webhooks`;
  const made = await ask(origin, { method: 'POST', path: webhooks, headers: headersOf(tenant), body }, 201);
  await waitFor(async () => (await receiver.ask({ ask: 'count' })).posts > 0, 10_000, 'the ping of a new webhook');
  return (made as { webhookId: string }).webhookId;
}

export async function deleteWebhook(origin: string, tenant: Tenant, webhookId: string): Promise<void> {
  const path = `/api/v0/environments/${tenant.environmentId}/webhooks/${webhookId}`;
  const answer = await fetch(`${origin}${path}`, { method: 'DELETE', headers: headersOf(tenant) });
  if (!answer.ok) throw new Error(`DELETE ${path}: ${answer.status} ${await answer.text()}`);
}

/** @throws Error if it does not happen in time */
export async function waitFor(happened: () => Promise<boolean>, limitMs: number, what: string): Promise<void> {
  const deadline = monotonicMs() + limitMs;
  while (!(await happened())) {
    if (monotonicMs() > deadline) throw new Error(`Waited ${limitMs} ms for ${what}.`);
    await delay(25);
  }
}
