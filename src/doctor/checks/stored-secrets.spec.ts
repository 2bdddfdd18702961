import { describe, expect, it } from '@jest/globals';
import { PEPPER_CONTEXT } from '../../identity/index.js';
import { Envelope, generateMasterKey, parseKeyRing } from '../../vault/index.js';
import { checkStoredSecrets } from './stored-secrets.js';

const refused = (): Promise<never> => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));

describe('stored secrets', () => {
  it('are not decrypted by the key of another deployment', async () => {
    const open = (text: string) => async () => parseKeyRing(text);
    const own = generateMasterKey();
    const sealed = await new Envelope(parseKeyRing(own)).seal(Buffer.alloc(32), PEPPER_CONTEXT);
    expect(await checkStoredSecrets(sealed, [], open(own))).toMatchObject({ state: 'ok' });
    expect(await checkStoredSecrets(sealed, [], open(`${generateMasterKey()},${own}`))).toMatchObject({ state: 'ok' });
    const foreign = await checkStoredSecrets(sealed, [], open(generateMasterKey()));
    expect(foreign).toMatchObject({ state: 'fail', meaning: 'cannot be decrypted (unknown-key)' });
    expect(await checkStoredSecrets(sealed, [], async () => null)).toMatchObject({ state: 'fail' });
    expect(await checkStoredSecrets(sealed, [], refused)).toMatchObject({ state: 'warn' });
    expect(await checkStoredSecrets(null, [], refused)).toMatchObject({ state: 'warn' });
  });

  it('are in part under a key that was taken away too early', async () => {
    const [own, former] = [generateMasterKey(), generateMasterKey()];
    const [ownId, formerId] = [own, former].map((entry) => entry.split(':')[0]!);
    const sealed = await new Envelope(parseKeyRing(own)).seal(Buffer.alloc(32), PEPPER_CONTEXT);
    const used = [
      { table: 'webhooks', keyId: ownId! },
      { table: 'wallet_seeds', keyId: ownId! },
      { table: 'wallet_seeds', keyId: formerId! },
    ];
    const check = (ring: string) => checkStoredSecrets(sealed, used, async () => parseKeyRing(ring));
    expect(await check(`${own},${former}`)).toMatchObject({ state: 'ok' });
    expect(await check(own)).toMatchObject({
      state: 'fail',
      meaning: `rows of wallet_seeds are under keys that are missing: ${formerId}`,
      fix: expect.stringContaining('keys rewrap'),
    });
  });
});
