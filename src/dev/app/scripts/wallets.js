import { base64url, button, element, ENVIRONMENT, hexOf, onClick, onSubmit, part } from './service.js';
import { current, enter, own, refresh, whenIn } from './session.js';
import { fromBase58, fromBase64url, fromHex, toBase58 } from './bytes.js';
import { newRecipient, seal } from './hpke.js';
import { newStamper } from './stamps.js';
import { endAccess, giveAccess } from './delegation.js';

// Embedded wallets: create, sign, export and import.
export const PATH = '/users/embeddedWallets';
const ACCOUNTS = { embeddedWalletProvider: 'keyvaulthd', chains: ['EVM', 'SOL'] };
/** Chains by the namespaces used in tokens (CAIP-2). */
const CHAINS = { eip155: 'EVM', solana: 'SOL', sui: 'SUI', bip122: 'BTC' };
/** Chain names used by key ceremonies, if different. */
const CEREMONY = { SOL: 'SVM' };
export const TEXT = 'I have tried it.';

/** The signed-in user's embedded wallets with matching properties. */
export const walletsOf = (isWanted) =>
  current()
    .user.verifiedCredentials.filter((each) => each.embedded_wallet_id && isWanted(each.wallet_properties ?? {}))
    .map(({ embedded_wallet_id: id, address, chain }) => ({ id, address, chain: CHAINS[chain] ?? chain }));

/** Wallets whose key the service holds. */
export const embedded = () => walletsOf(({ version }) => version !== 'V2' && version !== 'V3');

function tell(title, value) {
  part('wallet-result').replaceChildren(
    element('strong', { textContent: title }),
    element('pre', { textContent: value }),
  );
}

async function sign({ id, address }) {
  const { signature } = await own(`${PATH}/${id}/sign`, { kind: 'message', message: TEXT });
  tell(`“${TEXT}”, signed by ${address}`, signature);
}

/** Exports the private key, encrypted to a key of this page, and fills it into the import form. */
async function takeAlong({ id, address, chain }) {
  const recipient = await newRecipient();
  const { roomId } = await own(`/waas/${id}/privateKey/export`, { exportId: toBase58(recipient.publicKey) });
  const { exportBundle } = await own(`${PATH}/${id}/activities/${roomId}/export`);
  const { enc, ciphertext } = JSON.parse(exportBundle);
  const info = `export/v1|${ENVIRONMENT}|${current().user.id}|${id}|${roomId}`;
  const key = await recipient.open(fromBase64url(enc), fromBase64url(ciphertext), info, address);
  tell(`The private key of ${address}`, hexOf(key));
  const form = part('import').elements;
  [form.chain.value, form.address.value, form.key.value] = [chain, address, hexOf(key)];
}

async function delegate(wallet) {
  await giveAccess(wallet);
  tell('The team’s servers may now sign messages with', wallet.address);
}

async function takeBack(wallet) {
  await endAccess(wallet);
  tell('Servers may no longer sign with', wallet.address);
}

/** Deletes a wallet with a request signed by the session key. */
async function remove({ id, address }) {
  const stamper = await newStamper();
  await own(`${PATH}/sessionKey`, { publicKey: stamper.publicKey });
  const keyvaultSignedRequest = await stamper.stamp(await own(`${PATH}/${id}/deleteRequest`));
  await own(PATH, { keyvaultSignedRequest }, { method: 'DELETE' });
  await refresh();
  tell('Deleted', address);
}

async function bring(form) {
  const [chain, address] = [form.get('chain'), form.get('address').trim()];
  const key = fromHex(form.get('key'), 32, 'The private key');
  const { roomId, serverKeygenIds } = await own('/waas/privateKey/import', {
    chain: CEREMONY[chain] ?? chain,
    clientKeygenIds: [],
    thresholdSignatureScheme: 'TWO_OF_TWO',
  });
  const info = `import/v1|${ENVIRONMENT}|${current().user.id}|${chain}|${roomId}`;
  const { enc, ciphertext } = await seal(fromBase58(serverKeygenIds[0]), key, info, address);
  const sealed = { enc: base64url(enc), ciphertext: base64url(ciphertext), address };
  enter(await own(`${PATH}/activities/${roomId}/import`, sealed));
  part('import').reset();
  tell('Imported', address);
}

function shown(wallet) {
  const line = element('li', {}, element('code', { textContent: wallet.address }), ` on ${wallet.chain} `);
  Object.assign(line.dataset, { chain: wallet.chain, wallet: wallet.id });
  const actions = [
    ['Sign a message', sign],
    ['Export the key', takeAlong],
    ['Let a server sign', delegate],
    ['Revoke access', takeBack],
    ['Delete', remove],
  ].map(([name, action]) => button(name, () => action(wallet)));
  line.append(element('span', { className: 'actions' }, ...actions));
  return line;
}

export function offerWallets() {
  onClick(part('create-wallets'), async () => enter(await own(PATH, { embeddedWallets: [ACCOUNTS] })));
  onSubmit('import', bring);
  whenIn(() => {
    part('wallet-list').replaceChildren(...embedded().map(shown));
    part('create-wallets').hidden = embedded().length > 0;
  });
}
