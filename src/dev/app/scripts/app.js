import { offerAccounts } from './accounts.js';
import { offerChain } from './chain.js';
import { offerCodes } from './codes.js';
import { offerFactors } from './factors.js';
import { offerForeignToken } from './foreign-token.js';
import { offerLinking } from './linking.js';
import { offerPasskey } from './passkey.js';
import { attempt, call } from './service.js';
import { openSession } from './session.js';
import { offerShared } from './shared.js';
import { offerTelegram } from './telegram.js';
import { offerWallet } from './wallet.js';
import { offerWallets } from './wallets.js';

// The page of /dev/app. It calls what applications call and shows what they get: the doors that the sandbox has opened,
// and inside what its settings allow.
void attempt(async () => {
  const settings = await call('/settings');
  openSession();
  for (const offer of [
    offerCodes,
    offerPasskey,
    offerWallet,
    offerTelegram,
    offerForeignToken,
    offerFactors,
    offerLinking,
    offerWallets,
    offerShared,
    offerChain,
    // Last: whoever comes back from a provider is signed in at once.
    offerAccounts,
  ])
    offer(settings);
});
