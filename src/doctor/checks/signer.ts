import { causeOf, fail, ok, type Finding } from '../finding.js';

const FIX = 'start one with ROLE=signer, as the same user, with the same SIGNER_SOCKET and SIGNER_SECRET';

/**
 * @param signer SIGNER, where keys of wallets are opened
 * @param greet shakes hands with a signer that runs alone
 */
export async function checkSigner(signer: string, greet: () => Promise<void>): Promise<Finding> {
  if (signer === 'own-process') return ok('each instance starts a process of its own for keys of wallets');
  if (signer === 'in-process') return ok('keys of wallets are opened where requests are answered');
  try {
    await greet();
    return ok('the signer answers on its socket');
  } catch (error) {
    return fail(`the signer does not answer (${causeOf(error)})`, FIX);
  }
}
