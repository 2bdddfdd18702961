import { ADDRESS, ID, type RequestExamples } from './example-facts.js';

const SIGNATURE = `0x${'1b'.repeat(65)}`;
/** Denies one thing: a rule that allows something would stop all other signatures of the environment, on every chain. */
const rule = { name: 'Nothing to this address', ruleType: 'deny', chain: 'EVM', addresses: [ADDRESS] };

/** Keys, names of wallets, ramps and exchanges. */
export const EXAMPLES_OF_MONEY: RequestExamples = {
  createWaasPolicy: () => ({ rulesToAdd: [rule] }),
  updateWaasPolicy: () => ({ rulesToUpdate: [{ ...rule, ruleId: ID }] }),
  importPrivateKey: () => ({ chain: 'EVM', clientKeygenIds: [], thresholdSignatureScheme: 'TWO_OF_TWO' }),
  createNameService: () => ({ address: ADDRESS, domain: 'example.eth', signature: SIGNATURE }),
  createExchange: () => ({ exchange: 'kraken' }),
  postExchangeAccountTransfer: () => ({ to: ADDRESS, amount: 0.25, currency: 'ETH' }),
  generateCoinbaseOnrampBuyUrl: () => ({ destinationAddress: ADDRESS, networks: ['base'] }),
  createCoinbaseOnrampOrder: () => ({
    agreementAcceptedAt: '2026-01-31T12:00:00.000Z',
    destinationAddress: ADDRESS,
    destinationNetwork: 'base',
    partnerUserRef: 'user-42',
    paymentAmount: '100.00',
    paymentCurrency: 'USD',
    paymentMethod: 'GUEST_CHECKOUT_APPLE_PAY',
    purchaseCurrency: 'USDC',
  }),
  createCryptoDotComPayment: () => ({ amount: 2500, currency: 'USD', walletAddress: ADDRESS, chain: 'EVM' }),
};
