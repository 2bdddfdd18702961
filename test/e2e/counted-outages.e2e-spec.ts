import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { unavailable } from '../../src/custody/signer/process/signer-link.js';
import { Envelope } from '../../src/vault/index.js';
import { WRITES } from '../../src/waas/backups/backups.service.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { LosableSigner } from '../support/lost-signer.js';
import { Device } from '../support/shared-wallet.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { newEmail, World } from '../support/world.js';

/** As many as a user has of them within an hour. */
const MOST = 3;
const LOST = { status: 503, code: 'signer_unavailable' };

describe('what a user may do a few times an hour', () => {
  let test: TestApp;
  let world: World;
  let signer: LosableSigner;

  beforeAll(async () => {
    const signerOf: NonNullable<Parameters<typeof startTestApp>[0]>['signer'] = (vault) =>
      (signer = new LosableSigner(vault));
    test = await startTestApp({ env: { ROLE: 'api', RATE_LIMIT_SCALE: '1' }, signer: signerOf });
    world = await World.create(test);
  });
  afterAll(() => test.close());

  async function call(path: string, token: string, body?: object): Promise<{ status: number; code?: string }> {
    const answer = await fetch(`${test.url}/api/v0${world.sdk(path)}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(await proofOf(world, token)),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { code } = (await answer.json()) as { code?: string };
    return { status: answer.status, ...(code !== undefined && { code }) };
  }

  /** As often as it is allowed the signer is lost, then it is done as often, and then once more. */
  async function expectUncounted(operation: string, act: () => Promise<object>): Promise<void> {
    for (let loss = 0; loss < MOST; loss++) {
      signer.loseAt(operation, 'before it has done');
      expect(await act()).toEqual(LOST);
    }
    for (let done = 0; done < MOST; done++) expect(await act()).toEqual({ status: 200 });
    expect(await act()).toEqual({ status: 429, code: 'too_many_requests' });
  }

  it('is not counted when the signer is lost while an import begins', async () => {
    const { jwt } = await world.signIn(newEmail());
    const request = { chain: 'EVM', clientKeygenIds: [], thresholdSignatureScheme: 'TWO_OF_TWO' };
    await expectUncounted('wallet.createReceiver', () => call('/waas/privateKey/import', jwt, request));
  });

  it('is not counted when the signer is lost while shares begin to be made anew', async () => {
    const { jwt } = await world.signIn(newEmail());
    const { walletId } = await new Device(world, jwt).create('TWO_OF_TWO');
    await expectUncounted('threshold.beginReshare', () => call(`/waas/${walletId}/refresh`, jwt));
  });

  it('is not counted when what seals the copy of a share is away', async () => {
    const { jwt } = await world.signIn(newEmail());
    const { walletId } = await new Device(world, jwt).create('TWO_OF_TWO');
    const copy = { encryptedAccountCredentials: ['sealed by the device'], passwordEncrypted: false };
    const store = () => call(`/waas/${walletId}/keyShares/backup`, jwt, copy);
    const away = jest
      .spyOn(test.app.get(Envelope, { strict: false }), 'seal')
      .mockRejectedValue(unavailable('The vault went away.'));
    try {
      for (let loss = 0; loss < WRITES.limit; loss++) expect(await store()).toEqual(LOST);
    } finally {
      away.mockRestore();
    }
    for (let done = 0; done < WRITES.limit; done++) expect(await store()).toEqual({ status: 201 });
    expect(await store()).toEqual({ status: 429, code: 'too_many_requests' });
  });
});
