import { describe, expect, it } from '@jest/globals';
import { generateMasterKey, KeyVault, LocalKeyRing, parseKeyRing, SecretBytes } from '../src/vault/index.js';
import type { WrappedKey } from '../src/vault/index.js';
import { KEY_VAULT_CONTRACT, type VaultUnderTest } from './support/ports/key-vault-contract.js';

const old = generateMasterKey();
const local: VaultUnderTest = { vault: parseKeyRing(old), rotated: parseKeyRing(`${generateMasterKey()},${old}`) };

describe('the key ring of this process', () => {
  it.each(KEY_VAULT_CONTRACT)('$sentence', async ({ verify }) => {
    expect(local.vault).toBeInstanceOf(LocalKeyRing);
    await expect(verify(local)).resolves.toBeUndefined();
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

  async health(): Promise<void> {
    throw new Error('made of glass');
  }
}

describe('the contract of key vaults', () => {
  it('is broken by a vault that protects nothing, in all it can break', async () => {
    const glass = { vault: new GlassVault('one key'), rotated: new GlassVault('another') };
    const broken: string[] = [];
    for (const { sentence, verify } of KEY_VAULT_CONTRACT) await verify(glass).catch(() => broken.push(sentence));
    expect(broken).toEqual(
      KEY_VAULT_CONTRACT.map(({ sentence }) => sentence).filter((sentence) => !sentence.startsWith('gives back')),
    );
  });
});
