import { describe, expect, it } from '@jest/globals';
import { entropyToMnemonic as scureMnemonic, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import fc from 'fast-check';
import { SecretBytes } from '../../vault/index.js';
import { entropyToMnemonic, entropyToSeed, generateHdEntropy, mnemonicToSeed } from './hd-seed.js';

/** Reference vectors linked from BIP-39, "Test vectors": entropy, phrase and seed with the passphrase TREZOR. */
const VECTORS: [entropy: string, mnemonic: string, seed: string][] = [
  [
    '00000000000000000000000000000000',
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
    'c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04',
  ],
  [
    '9e885d952ad362caeb4efe34a8e91bd2',
    'ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic',
    '274ddc525802f7c828d8ef7ddbcdc5304e87ac3535913611fbbfa986d0c9e5476c91689f9c8a54fd55bd38606aa6a8595ad213d4c9c9f9aca3fb217069a41028',
  ],
  [
    '808080808080808080808080808080808080808080808080',
    'letter advice cage absurd amount doctor acoustic avoid letter advice cage absurd amount doctor acoustic avoid letter always',
    '107d7c02a5aa6f38c58083ff74f04c607c2d2c0ecc55501dadd72d025b751bc27fe913ffb796f841c49b1d33b610cf0e91d3aa239027f5e99fe4ce9e5088cd65',
  ],
  [
    'c10ec20dc3cd9f652c7fac2f1230f7a3c828389a14392f05',
    'scissors invite lock maple supreme raw rapid void congress muscle digital elegant little brisk hair mango congress clump',
    '7b4a10be9d98e6cba265566db7f136718e1398c71cb581e1b2f464cac1ceedf4f3e274dc270003c670ad8d02c4558b2f8e39edea2775c9e232c7cb798b069e88',
  ],
  [
    '0000000000000000000000000000000000000000000000000000000000000000',
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon art',
    'bda85446c68413707090a52022edd26a1c9462295029f2e60cd7c4f2bbd3097170af7a4d73245cafa9c3cca8d561a7c3de6f5d4a10be8ed2a5e608d68f92fcc8',
  ],
  [
    '7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f',
    'legal winner thank year wave sausage worth useful legal winner thank year wave sausage worth useful legal winner thank year wave sausage worth title',
    'bc09fca1804f7e69da93c2f2028eb238c227f2e9dda30cd63699232578480a4021b146ad717fbb7e451ce9eb835f43620bf5c514db0f8add49f5d121449d3e87',
  ],
  [
    '8080808080808080808080808080808080808080808080808080808080808080',
    'letter advice cage absurd amount doctor acoustic avoid letter advice cage absurd amount doctor acoustic avoid letter advice cage absurd amount doctor acoustic bless',
    'c0c519bd0e91a2ed54357d9d1ebef6f5af218a153624cf4f2da911a0ed8f7a09e2ef61af0aca007096df430022f7a2b6fb91661a9589097069720d015e4e982f',
  ],
  [
    'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo vote',
    'dd48c104698c30cfe2b6142103248622fb7bb0ff692eebb00089b32d22484e1613912f0a5b694407be899ffd31ed3992c456cdf60f5d4564b8ba3f05a69890ad',
  ],
  [
    '68a79eaca2324873eacc50cb9c6eca8cc68ea5d936f98787c60c7ebc74e6ce7c',
    'hamster diagram private dutch cause delay private meat slide toddler razor book happy fancy gospel tennis maple dilemma loan word shrug inflict delay length',
    '64c87cde7e12ecf6704ab95bb1408bef047c22db4cc7491c4271d170a1b213d20b385bc1588d9c7b38f1b39d415665b8a9030c9ec653d75e65f847d8fc1fc440',
  ],
  [
    '9f6a2878b2520799a44ef18bc7df394e7061a224d2c33cd015b157d746869863',
    'panda eyebrow bullet gorilla call smoke muffin taste mesh discover soft ostrich alcohol speed nation flash devote level hobby quick inner drive ghost inside',
    '72be8e052fc4919d2adf28d5306b5474b0069df35b02303de8c1729c9538dbb6fc2d731d5f832193cd9fb6aeecbc469594a70e3dd50811b5067f3b88b28c3e8d',
  ],
  [
    '066dca1a2bb7e8a1db2832148ce9933eea0f3ac9548d793112d9a95c9407efad',
    'all hour make first leader extend hole alien behind guard gospel lava path output census museum junior mass reopen famous sing advance salt reform',
    '26e975ec644423f4a4c4f4215ef09b4bd7ef924e85d1d17c4cf3f136c2863cf6df0a475045652c57eb5fb41513ca2a2d67722b77e954b4b3fc11f7590449191d',
  ],
  [
    'f585c11aec520db57dd353c69554b21a89b20fb0650966fa0a9d6f74fd989d8f',
    'void come effort suffer camp survey warrior heavy shoot primary clutch crush open amazing screen patrol group space point ten exist slush involve unfold',
    '01f5bced59dec48e362f2c45b5de68b9fd6c92c6634f44d6d40aab69056506f0e35524a518034ddc1192e1dacd32c1ed3eaa3c3b131c88ed8e7e54c49a5d0998',
  ],
];

describe.each(VECTORS)('BIP-39 vector %s', (entropy, mnemonic, seed) => {
  it('spells the phrase', () => {
    const phrase = entropyToMnemonic(SecretBytes.from(Buffer.from(entropy, 'hex')));

    expect(phrase.expose().toString()).toBe(mnemonic);
  });

  it('stretches to the seed', async () => {
    const stretched = await mnemonicToSeed(SecretBytes.from(Buffer.from(mnemonic)), 'TREZOR');

    expect(stretched.expose().toString('hex')).toBe(seed);
  });
});

describe('entropyToMnemonic', () => {
  it.each([16, 20, 24, 28, 32])('agrees with @scure/bip39 on any %i bytes', (length) => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: length, maxLength: length }), (entropy) => {
        const phrase = entropyToMnemonic(SecretBytes.from(Buffer.from(entropy)));
        expect(phrase.expose().toString()).toBe(scureMnemonic(entropy, wordlist));
      }),
    );
  });

  it.each([0, 15, 17, 18, 31, 33, 64])('refuses %i bytes', (length) => {
    expect(() => entropyToMnemonic(SecretBytes.random(length))).toThrow(RangeError);
  });
});

describe('mnemonicToSeed', () => {
  it('agrees with @scure/bip39 on any passphrase, in any Unicode normal form', async () => {
    const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 12 }), async (passphrase) => {
        const seed = await mnemonicToSeed(SecretBytes.from(Buffer.from(mnemonic)), passphrase);
        expect(seed.expose().equals(mnemonicToSeedSync(mnemonic, passphrase))).toBe(true);
      }),
      { numRuns: 10, examples: [['Ａé'], ['']] },
    );
  });
});

describe('entropyToSeed', () => {
  it('is the phrase without a passphrase', async () => {
    const entropy = generateHdEntropy();

    const seed = await entropyToSeed(entropy);

    expect(seed.expose().equals(mnemonicToSeedSync(scureMnemonic(entropy.expose(), wordlist)))).toBe(true);
  });
});

describe('generateHdEntropy', () => {
  it('is 256 bits and repeats in none of 100 000 draws', () => {
    const drawn = new Set(Array.from({ length: 100_000 }, () => generateHdEntropy().expose().toString('latin1')));

    expect(drawn.size).toBe(100_000);
    expect(generateHdEntropy().byteLength).toBe(32);
  });
});
