import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  beginCell,
  Cell,
  comment,
  external,
  internal,
  loadMessage,
  storeMessage,
  type MessageRelaxed,
} from '@ton/core';
import { WalletContractV5R1 } from '@ton/ton';
import { ed25519Verify } from '../derivation/ed25519-key.js';
import { UnreadableRequest } from './byte-reader.js';
import { OPAQUE, UNKNOWN } from './effects/effect.js';
import { effectsOf } from './effects/examine.js';
import { networkFeeOf } from './effects/network-fee.js';
import { readSignable } from './read-signable.js';
import type { SigningRequest } from './signing-request.js';
import { walletOf } from '../ton/wallet-v5.js';
import { writeTonData, type TonData } from './ton-data.js';
import {
  account,
  asked,
  publicKey,
  receiver,
  seed,
  sending,
  shown,
  wallet,
  walletNumber,
} from './ton-signing.fixture.js';

const requestOf = (message: Cell): SigningRequest => ({ kind: 'tonTransaction', transaction: message.toBoc() });
const signed = (request: SigningRequest) => readSignable(account, request).sign(seed);
const refusal = (request: SigningRequest): string => {
  try {
    readSignable(account, request);
    return 'accepted';
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableRequest);
    return (error as Error).message;
  }
};
const effects = async (message: MessageRelaxed, mode?: number) =>
  effectsOf(account, requestOf(await asked([sending(message, mode)])));
const payment = (fields: Partial<Parameters<typeof internal>[0]> = {}): MessageRelaxed =>
  internal({ to: receiver, value: 5n, ...fields });
const to = shown(receiver);

describe('a transfer of TON', () => {
  it('is signed by the hash of its cell, and put together as @ton/ton does it', async () => {
    for (const seqno of [0, 7]) {
      const message = await asked([sending(payment()), sending(payment({ bounce: false }))], { seqno });
      const { signature, signedTransaction } = signed(requestOf(message));
      expect(ed25519Verify(message.hash(), publicKey, Buffer.from(signature!, 'base64'))).toBe(true);
      const actions = [sending(payment()), sending(payment({ bounce: false }))];
      const body = wallet.createRequest({
        actions,
        seqno,
        timeout: 1_900_000_000,
        secretKey: Buffer.concat([seed, publicKey]),
      });
      const made = loadMessage(Cell.fromBase64(signedTransaction!).beginParse());
      expect(made.body.equals(body)).toBe(true);
      expect(made.info).toMatchObject({ type: 'external-in', importFee: 0n });
      expect(made.info.dest!.toString()).toBe(wallet.address.toString());
      const init = seqno === 0 ? wallet.init : undefined;
      const theirs = beginCell().store(storeMessage(external({ to: wallet.address, init, body }), { forceRef: true }));
      expect(Cell.fromBase64(signedTransaction!).equals(theirs.endCell())).toBe(true);
    }
  });

  it('may be 255 at once, each of a token with a comment', async () => {
    const tokens = Array.from({ length: 255 }, (_, at) =>
      beginCell()
        .storeUint(0x0f8a7ea5, 32)
        .storeUint(at, 64)
        .storeCoins(at)
        .storeAddress(receiver)
        .storeAddress(wallet.address)
        .storeBit(0)
        .storeCoins(1)
        .storeMaybeRef(comment(`for ${at}`))
        .endCell(),
    );
    const message = await asked(tokens.map((body) => sending(payment({ body }))));
    expect(signed(requestOf(message)).signature).toHaveLength(88);
  });

  it('is none for another network, another wallet of the key, or by way of somebody else', async () => {
    const actions = [sending(payment())];
    const context = { walletVersion: 'v5r1', workchain: -1, subwalletNumber: 0 } as const;
    const onTestnet = WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: -3 } });
    const second = walletNumber(publicKey, 77);
    expect(refusal(requestOf(await asked(actions, { of: second })))).toMatch(/another wallet of the key/);
    const far = WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: -239, context } });
    for (const other of [onTestnet, far])
      expect(refusal(requestOf(await asked(actions, { of: other })))).toMatch(/it is for another wallet/);
    expect(refusal(requestOf(await asked(actions, { authType: 'internal' })))).toMatch(/no request from outside/);
    expect(refusal(requestOf(beginCell().endCell()))).toMatch(/too early/);
  });

  it('changes never who may use the wallet, and always sends something', async () => {
    const addExtension = { type: 'addExtension', address: receiver } as const;
    const removeExtension = { type: 'removeExtension', address: receiver } as const;
    const off = { type: 'setIsPublicKeyEnabled', isEnabled: false } as const;
    for (const action of [addExtension, removeExtension, off])
      expect(refusal(requestOf(await asked([action, sending(payment())])))).toMatch(/who may use/);
    expect(refusal(requestOf(await asked([])))).toMatch(/sends nothing/);
    const begin = () =>
      beginCell().storeUint(0x7369676e, 32).storeUint(walletOf(publicKey).walletId, 32).storeUint(0, 64);
    const list = (tag: number) =>
      beginCell().storeRef(beginCell().endCell()).storeUint(tag, 32).storeUint(0, 8).storeRef(beginCell().endCell());
    const setCode = begin().storeMaybeRef(list(0xad4de08e).endCell()).storeUint(0, 1).endCell();
    expect(refusal(requestOf(setCode))).toMatch(/something else than send/);
    expect(refusal(requestOf(begin().storeMaybeRef(beginCell().endCell()).storeUint(0, 1).endCell()))).toMatch(
      /nothing/,
    );
    const more = (await asked([sending(payment())])).asBuilder().storeUint(0, 1).endCell();
    expect(refusal(requestOf(more))).toMatch(/left over/);
  });

  it('of more messages than a wallet sends is none', async () => {
    const many = Array.from({ length: 255 }, () => sending(payment()));
    const message = await asked(many);
    expect(refusal(requestOf(message))).toBe('accepted');
    const slice = message.beginParse();
    const begin = beginCell().storeUint(slice.loadUintBig(128), 128);
    slice.loadBit();
    const list = slice.loadRef();
    const one = beginCell().storeRef(list).storeUint(0x0ec3c86d, 32).storeUint(3, 8).storeRef(list.refs[1]!);
    const longer = begin.storeMaybeRef(one.endCell()).storeUint(0, 1);
    expect(refusal(requestOf(longer.endCell()))).toMatch(/more messages/);
  });

  it('is not read further than its bytes: whatever is missing is refused', async () => {
    const boc = (await asked([sending(payment({ body: comment('for the coffee') }))])).toBoc();
    for (let length = 0; length < boc.length; length++)
      expect(refusal({ kind: 'tonTransaction', transaction: boc.subarray(0, length) })).not.toBe('accepted');
  });
});

describe('what a transfer of TON agrees to', () => {
  const coins = { to, value: 5n, token: null, call: null };
  const opaque = { ...OPAQUE, to };

  it('is each payment, with or without words to it', async () => {
    expect(await effects(payment())).toEqual([coins]);
    expect(await effects(payment({ body: comment('for the coffee') }))).toEqual([coins]);
    expect(await effects(payment({ body: comment('x'.repeat(600)) }))).toEqual([coins]);
    const two = await asked([sending(payment()), sending(payment({ value: 8n }))]);
    expect(effectsOf(account, requestOf(two))).toEqual([{ ...coins, value: 8n }, coins]);
  });

  it('is of an unknown amount where the wallet is emptied, or other currencies go along', async () => {
    for (const mode of [128, 130, 160, 64])
      expect(await effects(payment(), mode)).toEqual([{ ...coins, value: UNKNOWN }]);
    const message = payment();
    const other = beginCell().endCell();
    if (message.info.type === 'internal') message.info.value = { coins: 5n, other: undefined };
    const bits = beginCell().storeUint(0b011000, 6).storeAddress(receiver).storeCoins(5n).storeMaybeRef(other);
    const rest = bits.storeCoins(0).storeCoins(0).storeUint(0, 96).storeUint(0, 2);
    const plain = await asked([sending(message)]);
    expect(effectsOf(account, requestOf(replaced(plain, rest.endCell())))).toEqual([{ ...coins, value: UNKNOWN }]);
  });

  it.each([{ ihrFee: 7n }, { forwardFee: 7n }])(
    'is of an unknown amount where it names fees itself: %p',
    async (fees) => {
      const message = payment();
      if (message.info.type === 'internal') Object.assign(message.info, fees);
      expect(await effects(message)).toEqual([{ ...coins, value: UNKNOWN }]);
    },
  );

  it('is unknown where a contract may do something with it: a call, such as one that moves tokens, or its making', async () => {
    const call = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(1, 64).endCell();
    expect(await effects(payment({ body: call }))).toEqual([opaque]);
    expect(await effects(payment({ body: beginCell().storeUint(0, 8).endCell() }))).toEqual([opaque]);
    expect(await effects(payment({ init: wallet.init }))).toEqual([opaque]);
    const note = beginCell().storeUint(3, 2).storeUint(0, 4).storeUint(0, 96).storeUint(0, 2).endCell();
    const log = replaced(await asked([sending(payment())]), note);
    expect(effectsOf(account, requestOf(log))).toEqual([{ ...OPAQUE, to: UNKNOWN }]);
  });

  it('costs what nobody knows before it runs', async () => {
    expect(networkFeeOf(account, requestOf(await asked([sending(payment())])))).toBe(UNKNOWN);
  });
});

/** The same request with another message in the place of its one. */
function replaced(request: Cell, message: Cell): Cell {
  const slice = request.beginParse();
  const begin = beginCell().storeUint(slice.loadUintBig(128), 128);
  const list = beginCell().storeRef(beginCell().endCell()).storeUint(0x0ec3c86d, 32).storeUint(3, 8).storeRef(message);
  return begin.storeMaybeRef(list.endCell()).storeUint(0, 1).endCell();
}

describe('something for an application on TON', () => {
  const data = (fields: Partial<TonData> = {}): Buffer =>
    writeTonData({
      ...{ account: { workchain: 0, hash: wallet.address.hash }, domain: 'exämple.com', timestamp: 1_764_000_000 },
      ...{ kind: 'txt', content: Buffer.from('I agree ✓') },
      ...fields,
    });
  const request = (bytes: Buffer): SigningRequest => ({ kind: 'tonData', data: bytes });

  it('is signed by the SHA-256 of what the protocol says, with name, time and wallet in it', () => {
    const name = Buffer.from('exämple.com');
    const content = Buffer.from('I agree ✓');
    const expected = [
      ...[
        'ffff',
        Buffer.from('ton-connect/sign-data/').toString('hex'),
        '00000000',
        wallet.address.hash.toString('hex'),
      ],
      ...['0000000c', name.toString('hex'), '0000000069248100', '747874', '0000000b', content.toString('hex')],
    ].join('');
    expect(data().toString('hex')).toBe(expected);
    const { signature, signedTransaction } = signed(request(data()));
    const digest = createHash('sha256').update(Buffer.from(expected, 'hex')).digest();
    expect(ed25519Verify(digest, publicKey, Buffer.from(signature!, 'base64'))).toBe(true);
    expect(signedTransaction).toBeUndefined();
  });

  it('is nothing of another wallet, and nothing else than a text or bytes', () => {
    expect(refusal(request(data({ kind: 'bin' })))).toBe('accepted');
    expect(refusal(request(data({ account: { workchain: -1, hash: wallet.address.hash } })))).toMatch(/another wallet/);
    expect(refusal(request(data({ account: { workchain: 0, hash: receiver.hash } })))).toMatch(/another wallet/);
    for (let length = 0; length < data().length; length++)
      expect(refusal(request(data().subarray(0, length)))).toMatch(/./);
    expect(refusal(request(Buffer.concat([data(), Buffer.of(0)])))).toMatch(/left over/);
    const other = Buffer.from(data().toString('hex').replace('747874', '737873'), 'hex');
    expect(refusal(request(other))).toMatch(/neither text nor bytes/);
    expect(refusal({ kind: 'message', message: data() })).toMatch(/signs no message/);
  });

  it('has no effect that anybody could judge, and no fee', () => {
    expect(effectsOf(account, request(data()))).toEqual([OPAQUE]);
    expect(networkFeeOf(account, request(data()))).toBe(0n);
  });
});
