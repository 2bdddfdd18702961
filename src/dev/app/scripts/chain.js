import { call, element, onSubmit, part } from './service.js';
import { own, whenIn } from './session.js';

// What a wallet has, and what a transfer would do, read from the networks that the settings enable.
const WEI_DIGITS = 18;

/** @throws Error for what is no amount */
function weiOf(text) {
  const match = /^(\d+)(?:\.(\d{1,18}))?$/.exec(text.trim());
  if (!match) throw new Error('Write the amount as 0.5.');
  return String(BigInt(match[1] + (match[2] ?? '').padEnd(WEI_DIGITS, '0')));
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
    value: weiOf(form.get('amount')),
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

const ACTIONS = { balances, simulate };

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
