import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Envelope, generateMasterKey, KeyVault, parseKeyRing, VaultModule } from './index.js';

@Module({})
class OtherModule {
  constructor(readonly envelope: Envelope) {}
}

describe('VaultModule', () => {
  it('gives every module the envelope over the one vault', async () => {
    const ring = parseKeyRing(generateMasterKey());
    const app = await Test.createTestingModule({ imports: [VaultModule.forRoot(ring), OtherModule] }).compile();
    const context = { purpose: 'test', environmentId: 'env', subjectId: 'row', kind: 'text' };

    const { envelope } = app.get(OtherModule);
    const blob = await envelope.seal(Buffer.from('text'), context);

    expect(app.get(KeyVault)).toBe(ring);
    expect(envelope).toBe(app.get(Envelope));
    expect((await envelope.open(blob, context)).expose().toString()).toBe('text');
    await app.close();
  });
});
