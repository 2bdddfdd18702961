import { atOnce, isSuccess, tally } from '../../load/at-once.js';
import { jsonOf } from '../../load/client.js';
import { AT_ONCE, type Artefact } from './artefact.js';

/** The token's id, read from its payload. */
export function tokenId(token: unknown): string {
  const [, payload = ''] = String(token).split('.');
  return String((JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}') as { jti?: string }).jti);
}

/** Retries within ten seconds get the first response, so all share the same new token. */
export const refreshToken: Artefact = {
  name: 'refresh token',
  prepare: async (world, people) => async () => {
    const { token } = await people.signIn(people.plantedCode().code);
    const replies = await atOnce(AT_ONCE, () => people.sdk('/refresh', { token }));
    const wrong = replies.every(isSuccess) ? [] : [`refresh: ${tally(replies)}`];
    const successors = new Set(replies.filter(isSuccess).map((reply) => tokenId(jsonOf(reply)['jwt'])));
    if (successors.size !== 1) wrong.push(`refresh made ${successors.size} tokens`);
    const { rows } = await world.withDatabase((client) =>
      client.query<{ next: string }>('SELECT token_id AS next FROM sessions WHERE previous_token_id = $1', [
        tokenId(token),
      ]),
    );
    if (rows.length !== 1 || !successors.has(rows[0]?.next ?? '')) wrong.push('refresh left another token in place');
    return wrong;
  },
};
