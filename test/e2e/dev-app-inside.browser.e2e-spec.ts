import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { generateSync } from 'otplib';
import { parseEther, recoverMessageAddress, type Address, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { Anvil } from '../support/anvil.js';
import { overflowOf, PHONE } from '../support/browser.js';
import { describeWithChrome } from '../support/chrome.js';
import { DevApp } from '../support/dev-app.js';
import { eventually } from '../support/receiver.js';
import { customNetwork } from '../support/surface/custom-network.js';

const ANVIL = 31_337;
const STEP_SECONDS = 30;
jest.setTimeout(240_000);

/** An authenticator app, which shows each code once and one step ahead of time where it must. */
class Codes {
  private last = 0;

  constructor(private readonly secret: string) {}

  async next(): Promise<string> {
    const now = (): number => Math.floor(Date.now() / 1_000 / STEP_SECONDS);
    const step = Math.max(this.last + 1, now());
    await eventually('the step of the code has nearly begun', async () => step <= now() + 1, 2 * STEP_SECONDS * 1_000);
    this.last = step;
    return generateSync({ secret: this.secret, epoch: step * STEP_SECONDS });
  }
}

describeWithChrome('what comes after the first door at /dev/app, in Chromium', (chrome) => {
  let app: DevApp;
  let anvil: Anvil;

  beforeAll(async () => {
    [app, anvil] = await Promise.all([DevApp.start(chrome), Anvil.start().then((chain) => chain.withMulticall())]);
    const network = { ...customNetwork('anvil'), chainId: String(ANVIL), rpcUrl: anvil.url };
    await app.addNetwork(network);
    const networks = [
      { networkId: 11_155_111, chainName: 'Sepolia', enabled: true, type: 'default' },
      { networkId: ANVIL, chainName: 'anvil', enabled: true, type: 'custom' },
    ];
    await app.manage('PUT', app.path(''), { chains: [{ name: 'EVM', enabled: true, networks }] });
    await app.open();
    await app.carryAuthenticator();
  }, 180_000);
  afterAll(async () => {
    await app?.close();
    await anvil?.close();
  });

  const click = (selector: string): Promise<void> => app.page.click(selector);
  const openGroup = async (id: string): Promise<void> => {
    if ((await app.page.getAttribute(id, 'open')) === null) await click(`${id} > summary`);
  };
  /** The session is good for everything. */
  const isIn = async (email: string): Promise<void> => {
    await app.shows('#who', `Signed in as ${email}`);
    await app.page.waitForSelector('#inside:not([hidden])', { state: 'attached' });
  };
  /** A first factor was given, and is good for nothing by itself. */
  const isHalfIn = async (): Promise<void> => {
    await app.shows('#who', 'One more proof');
    expect(await app.page.isVisible('#inside')).toBe(false);
    expect(await app.page.textContent('#scopes')).toBe('requiresAdditionalAuth');
  };
  const give = async (form: string, code: string): Promise<void> => {
    await app.page.fill(`${form} [name=code]`, code);
    await click(`${form} button:not([type])`);
  };

  it('requires an authenticator app once there is one, accepts recovery codes instead, and removes it', async () => {
    const email = 'ada.factors@example.com';
    await app.signIn(email);
    await openGroup('#factors');
    await click('#totp-begin');
    await app.appears('#totp-new:not([hidden])');
    await app.picture('totp');
    const codes = new Codes((await app.page.textContent('#totp-secret'))!);
    await give('#totp-new', await codes.next());
    await app.appears('#devices [data-type=totp]');
    await click('#recovery-show');
    await app.appears('#recovery-codes:not([hidden])');
    const [recovery] = (await app.page.textContent('#recovery-codes'))!.split('\n');
    await app.picture('devices');
    await click('#add-passkey');
    await app.shows('#added', 'The passkey was added');
    await click('#devices [data-type=totp] button');
    await app.shows('#problem', 'Enter a code');
    expect(await app.page.textContent('#added')).toBe('');
    await app.signOut();

    await app.signIn(email);
    await isHalfIn();
    await app.appears('#second-totp');
    // It would be the same mailbox once more.
    expect(await app.page.isVisible('#second-email')).toBe(false);
    await give('#second-totp', '000000');
    await app.shows('#problem', 'mfa_invalid_code');
    await app.picture('second');
    await give('#second-totp', await codes.next());
    await isIn(email);
    await app.signOut();

    await click('#passkey button');
    await isHalfIn();
    await click('#second-send');
    await app.filled('#mailed-code');
    await click('#second-email button:not([type])');
    await isIn(email);
    await app.signOut();

    await app.signIn(email);
    await isHalfIn();
    await give('#second-recovery', recovery!);
    await isIn(email);

    await openGroup('#factors');
    await click('#factor-passkey');
    await app.appears('#devices [data-type=passkey]');
    // The default factor stays while there are others.
    expect(await app.page.isVisible('#devices [data-type=totp] button')).toBe(false);
    await click('#devices [data-type=passkey] button:text("Make default")');
    await click('#devices [data-type=totp] button:text("Remove")');
    await app.appears('#remove:not([hidden])');
    await app.page.fill('#remove-code', await codes.next());
    await click('#devices [data-type=totp] button:text("Remove")');
    await app.page.waitForSelector('#devices [data-type=totp]', { state: 'detached' });
    await click('#devices button:text("Remove")');
    await app.appears('#no-devices:not([hidden])');
    await app.signOut();
  });

  it('accepts a passkey as a second factor', async () => {
    const email = 'eve.factors@example.com';
    await app.signIn(email);
    await openGroup('#factors');
    await click('#totp-begin');
    await app.appears('#totp-new:not([hidden])');
    await app.signOut();
    // What was begun and left is no factor.
    await app.signIn(email);
    await openGroup('#factors');
    await app.appears('#no-devices:not([hidden])');
    expect(await app.page.textContent('#devices')).toBe('');
    await click('#factor-passkey');
    await app.appears('#devices [data-type=passkey]');
    await app.signOut();
    await app.signIn(email);
    await isHalfIn();
    expect(await app.page.isVisible('#second-totp')).toBe(false);
    await click('#second-passkey button');
    await isIn(email);
    await openGroup('#factors');
    await click('#devices button:text("Remove")');
    await app.appears('#no-devices:not([hidden])');
    await app.signOut();
  });

  const addAddress = async (email: string): Promise<void> => {
    await app.page.fill('#link-email [name=email]', email);
    await app.sendCode('#link-email', '#link-code');
    await click('#link-code button');
  };

  it('merges two accounts of one person, who chooses between two names', async () => {
    const [one, other] = ['one.account@example.com', 'other.account@example.com'];
    for (const [email, alias] of [
      [other, 'The other'],
      [one, 'The one'],
    ] as const) {
      await app.signIn(email);
      const { id } = await app.user();
      await app.manage('PUT', app.path(`/users/${id}`), { alias });
      if (email === other) await app.signOut();
    }
    await openGroup('#linking');
    await addAddress(other);
    await app.appears('#merge:not([hidden])');
    await app.page.getByLabel('The other').check();
    await app.picture('merge');
    await click('#merge button');
    await app.shows('#linked', 'accounts were merged');
    const user = await app.user();
    expect(user['alias']).toBe('The other');
    const addresses = user.verifiedCredentials.map((credential) => credential['email']);
    expect(addresses.toSorted()).toEqual([one, other].toSorted());
    await app.signOut();
    await app.signIn(other);
    expect((await app.user()).id).toBe(user.id);
    await app.signOut();
  });

  it('creates wallets that sign, and imports an exported one with the same address', async () => {
    await app.signIn('satoshi.wallets@example.com');
    await openGroup('#wallets');
    await click('#create-wallets');
    await app.appears('#wallet-list [data-chain=SOL]');
    const wallet = '#wallet-list [data-chain=EVM]';
    const address = (await app.page.textContent(`${wallet} code`)) as Address;
    await click(`${wallet} button:text("Sign a message")`);
    await app.shows('#wallet-result', 'signed by');
    const signature = (await app.page.textContent('#wallet-result pre')) as Hex;
    expect(await recoverMessageAddress({ message: 'I have tried it.', signature })).toBe(address);
    const screen = app.page.viewportSize()!;
    await app.page.setViewportSize(PHONE);
    expect(await overflowOf(app.page)).toBeLessThanOrEqual(0);
    await app.page.setViewportSize(screen);
    await click(`${wallet} button:text("Let a server sign")`);
    await app.shows('#problem', 'no_delegation_key');

    await click(`${wallet} button:text("Export the key")`);
    await app.shows('#wallet-result', 'The private key of');
    const key = (await app.page.textContent('#wallet-result pre'))!;
    expect(privateKeyToAccount(`0x${key}`).address).toBe(address);
    await app.picture('wallets');
    await click(`${wallet} button:text("Export the key")`);
    await app.shows('#problem', 'On this page: sign out, and sign in again');
    const before = await app.page.getAttribute(wallet, 'data-wallet');

    await click('#import button');
    await app.shows('#problem', 'imported_wallet_exists');
    await click(`${wallet} button:text("Delete")`);
    await app.page.waitForSelector(wallet, { state: 'detached' });
    await click('#import button');
    await app.appears(wallet);
    expect(await app.page.textContent(`${wallet} code`)).toBe(address);
    expect(await app.page.getAttribute(wallet, 'data-wallet')).not.toBe(before);
    await click(`${wallet} button:text("Sign a message")`);
    await app.shows('#wallet-result', 'signed by');
    const again = (await app.page.textContent('#wallet-result pre')) as Hex;
    expect(await recoverMessageAddress({ message: 'I have tried it.', signature: again })).toBe(address);
  });

  it('refuses a key that does not match the address', async () => {
    const { address } = privateKeyToAccount(generatePrivateKey());
    await app.page.fill('#import [name=address]', address);
    await app.page.fill('#import [name=key]', generatePrivateKey());
    await click('#import button');
    await app.shows('#problem', 'import_refused');
    expect(await app.page.textContent('#problem')).toContain('Reason: ');
    expect(await app.page.textContent('#wallet-list')).not.toContain(address);
  });

  it('shows what a wallet has, and what a transfer would do before anybody sends it', async () => {
    const address = (await app.page.textContent('#wallet-list [data-chain=EVM] code')) as Address;
    await anvil.setBalance(address, parseEther('2'));
    await openGroup('#money');
    await app.page.selectOption('#network', String(ANVIL));
    expect(await app.page.inputValue('#account')).toBe(address);
    await click('#chain [value=balances]');
    await app.shows('#balances', '2 ETH');
    await app.page.fill('#to', privateKeyToAccount(generatePrivateKey()).address);
    await app.page.fill('#amount', '0.5');
    await click('#chain [value=simulate]');
    await app.shows('#simulated', '0.5 ETH');
    await app.picture('transfer');
    await app.page.fill('#amount', '3');
    await click('#chain [value=simulate]');
    await app.shows('#simulated', 'Error');
    expect(await anvil.client.getBalance({ address })).toBe(parseEther('2'));
  });

  it('signs a transfer with the embedded wallet, which a node accepts', async () => {
    const to = privateKeyToAccount(generatePrivateKey()).address;
    await app.page.fill('#to', to);
    await app.page.fill('#amount', '0.5');
    await click('#chain [value=sign]');
    await app.shows('#signed', '0x02');
    await app.picture('signed-transfer');
    const serializedTransaction = (await app.page.textContent('#signed')) as Hex;
    const hash = await anvil.client.sendRawTransaction({ serializedTransaction });
    expect(await anvil.client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
    expect(await anvil.client.getBalance({ address: to })).toBe(parseEther('0.5'));
    await app.page.fill('#nonce', '1');
    await app.page.fill('#account', to);
    await click('#chain [value=sign]');
    await app.shows('#problem', 'Only your embedded wallets can sign here.');
    await app.signOut();
  });

  it('moves a wallet from another account to this one with its holder’s consent', async () => {
    const key = privateKeyToAccount(generatePrivateKey());
    await app.carryWallet(key);
    await app.open();
    await app.signIn('first.holder@example.com');
    await openGroup('#linking');
    await click('#link-wallet');
    await app.shows('#linked', 'Added to your account');
    await app.signOut();
    await app.signIn('second.holder@example.com');
    await openGroup('#linking');
    await addAddress('third.holder@example.com');
    await app.shows('#linked', 'Added to your account');
    await click('#link-wallet');
    await app.appears('#move button');
    expect(await app.page.textContent('#linked')).toBe('');
    await click('#move button');
    await app.shows('#linked', 'Added to your account');
    const held = (await app.user()).verifiedCredentials.map((credential) => credential['address']);
    expect(held).toContain(key.address);
    await app.signOut();
  });

  it('says what a refused user needs to pass a gate, and admits them once they have it', async () => {
    const token = await anvil.deploy('Erc20', [6]);
    const holder = privateKeyToAccount(generatePrivateKey());
    await app.carryWallet(holder);
    await app.open();
    const { id } = await app.manage<{ id: string }>('POST', app.path('/gates'), {
      name: 'Holders',
      outcome: 'siteAccess',
      rules: [{ type: 'token', chain: 'EVM', address: { networkId: ANVIL, contractAddress: token } }],
    });
    await app.manage('PUT', app.path(`/gates/${id}/enable`));
    await click('#wallet button');
    await app.shows('#problem', 'You do not have access here.');
    const explained = await app.page.textContent('#problem');
    for (const fact of [`To come in, hold some of the token ${token} on network ${ANVIL}`, holder.address])
      expect(explained).toContain(fact);
    await app.picture('gate');
    expect(await app.page.isVisible('#session')).toBe(false);
    await app.manage('PUT', app.path(`/gates/${id}/disable`));
    await click('#wallet button');
    await app.appears('#session:not([hidden])');
    expect(await app.page.isVisible('#problem')).toBe(false);
  });

  it('fits a phone with everything open, logs only refusals, and calls no other host', async () => {
    await app.page.setViewportSize(PHONE);
    for (const group of ['#factors', '#linking', '#wallets', '#money']) await openGroup(group);
    await app.picture('inside-phone');
    expect(await overflowOf(app.page)).toBeLessThanOrEqual(0);
    expect(app.browser.foreignRequests).toEqual([]);
    // Chromium writes each refusal that a page was answered to the console.
    // 401: what a page still asked for when its session was ended.
    expect(app.browser.complaints.filter((text) => !/status of (?:401|403|404|422)/.test(text))).toEqual([]);
  });
});
