import { call, element, onSubmit, part } from './service.js';
import { transferOf } from './rlp.js';
import { own, whenIn } from './session.js';
import { embedded, PATH } from './wallets.js';

// Balances, simulated and signed transfers, on the networks enabled in the settings.
const WEI_DIGITS = 18;
const GWEI_DIGITS = 9;
/** The gas of a transfer to an account without code. */
const GAS = 21_000n;

/** @throws Error for an invalid amount */
function unitsOf(text, digits) {
  const [, whole, part = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || part.length > digits) throw new Error('Enter amounts in the form 0.5.');
  return BigInt(whole + part.padEnd(digits, '0'));
}

async function balances(form) {
  const query = new URLSearchParams({
    networkId: form.get('network'),
    accountAddress: form.get('address').trim(),
    forceRefresh: 'true',
  });
  const found = await own(`/chains/EVM/balances?${query}`);
  const rows = found.map(({ symbol, name, balance }) =>
    element('tr', {}, ...[`${balance} ${symbol}`, name].map((textContent) => element('td', { textContent }))),
  );
  part('balances').replaceChildren(...rows);
}

const movements = (assets, direction) =>
  assets.flatMap(({ asset, ...moved }) =>
    (moved[direction] ?? []).map(({ summary, rawValue }) => summary ?? `${rawValue} of ${asset.symbol}`),
  );

async function simulate(form) {
  const { outAssets, inAssets, validation } = await call('/evm/simulateTransaction', {
    chainId: form.get('network'),
    from: form.get('address').trim(),
    to: form.get('to').trim(),
    value: String(unitsOf(form.get('amount'), WEI_DIGITS)),
    data: '0x',
  });
  const facts = [
    ['Verdict', [validation?.result, validation?.description ?? validation?.reason].filter(Boolean).join(': ')],
    ['Leaves', movements(outAssets, 'transferOut').join(', ') || 'nothing'],
    ['Arrives', movements(inAssets, 'transferIn').join(', ') || 'nothing'],
  ];
  part('simulated').replaceChildren(
    ...facts.flatMap(([term, text]) => [
      element('dt', { textContent: term }),
      element('dd', { textContent: text || 'none' }),
    ]),
  );
}

/** Signs the transfer without sending it, and shows the signed transaction. */
async function sign(form) {
  const account = form.get('address').trim().toLowerCase();
  const wallet = embedded().find(({ address }) => address.toLowerCase() === account);
  if (!wallet) throw new Error('Only your embedded wallets can sign here.');
  const transaction = transferOf({
    chainId: BigInt(form.get('network')),
    nonce: unitsOf(form.get('nonce'), 0),
    tip: 0n,
    fee: unitsOf(form.get('fee'), GWEI_DIGITS),
    gas: GAS,
    to: form.get('to'),
    value: unitsOf(form.get('amount'), WEI_DIGITS),
  });
  const { signedTransaction } = await own(`${PATH}/${wallet.id}/sign`, { kind: 'evmTransaction', transaction });
  part('signed').textContent = signedTransaction;
}

const ACTIONS = { balances, simulate, sign };

export function offerChain() {
  let networks = null;
  onSubmit('chain', (form) => ACTIONS[form.get('action')](form));
  whenIn(async ({ user, isPartial }) => {
    if (isPartial) return;
    const wallet = user.verifiedCredentials.find(({ chain }) => chain === 'eip155');
    if (wallet) part('chain').elements.address.value = wallet.address;
    if (networks) return;
    networks = (await call('/networks')).filter(({ chainName }) => chainName === 'evm');
    const options = networks
      .flatMap((each) => each.networks)
      .map(({ chainId, name, vanityName }) => element('option', { value: chainId, textContent: vanityName ?? name }));
    part('chain').elements.network.replaceChildren(...options);
    part('chain-none').hidden = options.length > 0;
  });
}
