/* global window */
import { button, call, codeFor, element, onClick, onSubmit, part, Refusal } from './service.js';
import { enter, own } from './session.js';
import { walletProof } from './wallet.js';

// Adds an address or a wallet, moves it from another account, or merges both accounts.
const MERGE = 'merge_accounts_confirmation';
const MOVE = 'reassign_wallet_confirm';

let verificationUUID = null;

/** Shows the conflicting fields of two accounts and asks which value to keep. */
function askToMerge({ conflicts = [] } = {}) {
  part('merge-conflicts').replaceChildren(
    ...conflicts.map(({ field, fromUser, currentUser }) =>
      element(
        'fieldset',
        {},
        element('legend', { textContent: field.label ?? field.name }),
        ...[currentUser, fromUser].map(({ userId, value }, index) => {
          const choice = element('input', { type: 'radio', name: field.name, value: userId, required: true });
          choice.dataset.type = field.type;
          choice.checked = index === 0;
          return element('label', {}, choice, ` ${value}`);
        }),
      ),
    ),
  );
  part('merge').hidden = false;
}

/** Runs an action, and asks the user to confirm if the credential belongs to another account. @throws other errors */
async function confirming(action, moveTo) {
  part('merge').hidden = true;
  part('move').replaceChildren();
  try {
    enter(await action());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === MERGE) askToMerge(error.payload.mergeConflicts);
    else if (error.code === MOVE) part('move').replaceChildren(error.sentence, ' ', button('Move it here', moveTo));
    else throw error;
    return;
  }
  part('linked').textContent = 'Added to your account.';
}

async function addEmail(form) {
  const body = { verificationUUID, verificationToken: form.get('code') };
  await confirming(() => own('/emailVerifications/verify', body));
  part('link-code').hidden = true;
  part('link-code').reset();
}

async function addWallet() {
  const proof = await walletProof();
  const move = async () => {
    await confirming(() => own('/verify/transfer', proof));
  };
  await confirming(() => own('/verify/link', proof), move);
}

async function merge() {
  const chosen = [...part('merge-conflicts').querySelectorAll('input:checked')];
  const mergeUserResolutions = chosen.map(({ name, value, dataset }) => ({
    fieldKey: name,
    userId: value,
    type: dataset.type,
  }));
  enter(
    chosen.length > 0
      ? await own('/verify/merge', { mergeUserResolutions })
      : await own('/users/merge', null, { method: 'POST' }),
  );
  part('merge').hidden = true;
  part('linked').textContent = 'The accounts were merged.';
}

export function offerLinking() {
  onSubmit('link-email', async (form) => {
    const email = form.get('email');
    ({ verificationUUID } = await call('/emailVerifications/create', { email }));
    part('link-code').hidden = false;
    const { code } = part('link-code').elements;
    code.value = await codeFor(email);
    code.focus();
  });
  onSubmit('link-code', addEmail);
  onSubmit('merge', merge);
  part('link-wallet').hidden = !window.ethereum;
  onClick(part('link-wallet'), addWallet);
}
