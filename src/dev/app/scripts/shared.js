/* global location, TextEncoder */
import { toBase58 } from './bytes.js';
import { forget, held, keep } from './device.js';
import { button, element, ENVIRONMENT, onSubmit, part, send } from './service.js';
import { current, own, refresh, whenIn } from './session.js';
import { TEXT, walletsOf } from './wallets.js';

// Wallets whose key is shared by this page and the service, using the same package as applications: clients/custody.
const custody = () => import('./custody.js');
const CHAIN = 'SVM';
const SCHEMES = { TWO_OF_TWO: '2 of 2', TWO_OF_THREE: '2 of 3', THREE_OF_FIVE: '3 of 5' };
const NO_SHARE = 'This browser has no share of this wallet. Recover one from the backup.';

const shared = () => walletsOf(({ version }) => version === 'V3');
const deployment = () => ({
  baseUrl: location.origin,
  environmentId: ENVIRONMENT,
  token: current().minifiedJwt,
});
const password = () => {
  const { value } = part('shared-password');
  if (!value) throw new Error('Enter the backup password first.');
  return { password: value };
};

function tell(title, value) {
  part('shared-result').replaceChildren(
    element('strong', { textContent: title }),
    element('pre', { textContent: value }),
  );
}

/** An interrupted refresh leaves two share sets; the next signature finds the valid one and keeps only that. */
async function newest(id) {
  const [set] = await held(id);
  if (!set) throw new Error(NO_SHARE);
  return set;
}

async function create(form) {
  const { KeyGeneration, createWallet, httpRooms } = await custody();
  const scheme = form.get('scheme');
  const generation = await KeyGeneration.begin(scheme, CHAIN);
  const opened = await own('/waas/create', {
    chain: CHAIN,
    clientKeygenIds: generation.keygenIds,
    thresholdSignatureScheme: scheme,
  });
  const store = (made) => keep(made.walletId, [made]);
  const { address } = await createWallet(httpRooms(deployment(), send), ENVIRONMENT, generation, opened, store);
  await refresh();
  tell('Created with shared key', address);
}

async function sign({ id, address }) {
  const { SharedKey, OtherGeneration, httpRooms, httpSignatures } = await custody();
  const sets = await held(id);
  for (const set of sets) {
    const key = new SharedKey(set, CHAIN, httpRooms(deployment(), send), httpSignatures(deployment(), send));
    try {
      const signature = await key.sign('message', new TextEncoder().encode(TEXT));
      if (sets.length > 1) await keep(id, [set]);
      return tell(`“${TEXT}”, signed by ${address}`, toBase58(signature));
    } catch (error) {
      if (!(error instanceof OtherGeneration)) throw error;
    }
  }
  throw new Error(sets.length > 0 ? 'The shares in this browser were replaced by another device.' : NO_SHARE);
}

async function backUp({ id, address }) {
  const { sealBackup, httpBackups } = await custody();
  const lock = password();
  const set = await newest(id);
  await httpBackups(deployment(), send).store(set, [await sealBackup(set, lock)], true);
  tell('Backed up', address);
}

async function lose({ id, address }) {
  await forget(id);
  await show();
  tell('This browser has forgotten its shares of', address);
}

async function recover({ id, address }) {
  const { recoverShares, httpBackups } = await custody();
  await keep(id, [await recoverShares(httpBackups(deployment(), send), id, password())]);
  await show();
  tell('Recovered', address);
}

/** @param scheme the new scheme; unchanged if omitted */
async function renew({ id, address }, scheme) {
  const { Resharing, renewShares, httpRooms } = await custody();
  const set = await newest(id);
  const resharing = await Resharing.begin(set, scheme);
  const opened = scheme
    ? await own(`/waas/${id}/reshare`, resharing.request)
    : await own(`/waas/${id}/refresh`, null, { method: 'POST' });
  // The old shares are kept until the new ones have signed: if this page is closed, one of the two sets is valid.
  const store = (pending) => keep(id, [pending, set]);
  await keep(id, [await renewShares(httpRooms(deployment(), send), ENVIRONMENT, resharing, opened, store)]);
  await show();
  tell('New shares of the same key', address);
}

function lineOf(wallet, [set]) {
  const { min, max } = set?.publicShares ?? {};
  const what = set ? `${set.secrets.length} of its shares here, of generation ${set.generation ?? 1}` : 'no share here';
  const line = element(
    'li',
    {},
    element('code', { textContent: wallet.address }),
    ` ${set ? `${min} of ${max}, ` : ''}${what} `,
  );
  Object.assign(line.dataset, { shared: wallet.id, shares: String(set?.secrets.length ?? 0) });
  if (set) line.dataset.generation = String(set.generation ?? 1);
  const others = Object.entries(SCHEMES).filter(([, text]) => text !== `${min} of ${max}`);
  const actions = set
    ? [
        ['Sign a message', sign],
        ['Back up', backUp],
        ['Refresh', (one) => renew(one)],
        ...others.map(([scheme, text]) => [`Reshare to ${text}`, (one) => renew(one, scheme)]),
        ['Lose this device', lose],
      ]
    : [['Recover', recover]];
  const buttons = actions.map(([name, action]) => button(name, () => action(wallet)));
  line.append(element('span', { className: 'actions' }, ...buttons));
  return line;
}

async function show() {
  const lines = await Promise.all(shared().map(async (wallet) => lineOf(wallet, await held(wallet.id))));
  part('shared-list').replaceChildren(...lines);
}

export function offerShared() {
  onSubmit('shared-create', create);
  whenIn(show);
}
