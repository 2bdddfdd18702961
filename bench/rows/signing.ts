import type { LoadRequest } from '../load/load-job.js';
import { withClient } from '../stack/postgres.js';
import { pairedRatio } from '../report/statistics.js';
import type { Row } from '../report/table.js';
import type { Ground } from './operations.js';
import { race, rates, summary } from './race.js';
import type { Scene } from './ratios.js';
import { ask, differences } from './same-shape.js';

/** One per connection, so that nobody signs twice at once. */
const SIGNERS = 16;

const WALLET = `
  SELECT w.id FROM wallets w JOIN sessions s ON s.environment_id = w.environment_id AND s.user_id = w.user_id
  WHERE w.environment_id = $1 AND s.id = $2 AND w.chain = 'EVM' AND w.seed_id IS NOT NULL AND w.deleted_at IS NULL`;

/** Messages signed with keys that the service holds for users, in turns with a server that reads the row and signs. */
export async function measureSigning(scene: Scene, databaseUrl: string): Promise<Row> {
  const { load, course, service, bare, ground } = scene;
  const requests = await signRequests(scene, databaseUrl);
  const contenders = [service, bare].map(({ origin, pid }) => ({ origin, pid, requests: [...requests] }));
  const [mine, yardstick] = await Promise.all(contenders.map(({ origin }) => ask(origin, requests[0]!, 200)));
  const options = { ...course, label: 'sign', status: 200, repeat: true };
  const [results = [], bareResults = []] = await race(load, options, contenders);
  const { perSecond, p50, p99, cpuPerAnswer } = summary(results);
  const yard = summary(bareResults);
  const cost = `${cpuPerAnswer.toFixed(3)} ms of processor an answer without the signer's, bare ${yard.cpuPerAnswer.toFixed(3)}`;
  const figure = pairedRatio(rates(results), rates(bareResults));
  const note = [cost, `${ground.sessionTokens.length} sessions`, differences(mine, yardstick)]
    .filter(Boolean)
    .join('; ');
  return { row: 'sign with a key of the service', service: perSecond, bare: yard.perSecond, p50, p99, figure, note };
}

/** Creates a wallet for each of some signed-in users. */
export async function signRequests(
  { service, ground }: Pick<Scene, 'service' | 'ground'>,
  databaseUrl: string,
): Promise<LoadRequest[]> {
  const { environmentId } = ground.tenant;
  const path = `/api/v0/sdk/${environmentId}/users/embeddedWallets`;
  const requests: LoadRequest[] = [];
  for (const token of ground.sessionTokens.slice(0, SIGNERS)) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ embeddedWallets: [{ embeddedWalletProvider: 'keyvaulthd', chain: 'EVM' }] });
    await ask(service.origin, { method: 'POST', path, headers, body }, 201);
    const walletId = await walletOf(databaseUrl, ground, token);
    const message = JSON.stringify({ kind: 'message', message: 'I agree to the terms of the bench.' });
    requests.push({ method: 'POST', path: `${path}/${walletId}/sign`, headers, body: message });
  }
  return requests;
}

function walletOf(databaseUrl: string, { tenant }: Ground, token: string): Promise<string> {
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { sid: string };
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(WALLET, [tenant.environmentId, sid]);
    if (!rows[0]) throw new Error('A wallet that was just made is not there.');
    return rows[0].id;
  });
}
