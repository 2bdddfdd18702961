import { formatUnits } from 'viem';
import type { AccountNetwork } from '../account-networks.js';
import { clientChainName } from '../catalogue/client-chain-name.js';
import type { AssetName } from './asset-names.js';
import type { Approval, Movement, Outcome } from './outcome.js';
import type {
  Asset,
  AssetDiff,
  AssetExposure,
  AssetExposureSpenderToInfo,
  AssetTransfer,
  SimulateTransactionResponse,
  TransactionRiskValidation,
} from './simulation.dto.js';

export interface PreviewParts {
  network: AccountNetwork;
  /** The account whose changes are shown. */
  account: string;
  outcome: Outcome;
  names: ReadonlyMap<string, AssetName>;
  /** US dollars by ticker. */
  prices: ReadonlyMap<string, number>;
}

/** A simulation's result from the perspective of one account. */
export function previewOf({ network, account, outcome, names, prices }: PreviewParts): SimulateTransactionResponse {
  const own = outcome.movements.filter(({ from, to }) => from !== to && (from === account || to === account));
  const known = network.isTestnet ? new Map<string, number>() : prices;
  const diffs = groupsOf(own).map((group) => diffOf(network, group, account, names, known));
  const nativePrice = priceOf(network, { address: null, symbol: network.nativeSymbol }, undefined, known);
  const approvals = lastOf(outcome.approvals.filter(({ owner, spender }) => owner === account && spender !== account));
  return {
    inAssets: diffs.filter(({ transferIn }) => transferIn.length > 0),
    outAssets: diffs.filter(({ transferOut }) => transferOut.length > 0),
    counterparties: [...new Set(own.map(({ from, to }) => (from === account ? to : from)))],
    priceData: nativePrice === undefined ? {} : { nativeTokenUsdPrice: nativePrice },
    showTotalFiat: diffs.every(({ transferIn, transferOut }) =>
      [...transferIn, ...transferOut].every(({ usdPrice }) => usdPrice !== undefined),
    ),
    validation: validationOf(outcome, approvals),
    assetExposures: exposuresOf(network, approvals, names, known),
  };
}

const keyOf = ({ token, tokenId }: Pick<Movement, 'token' | 'tokenId'>): string => `${token} ${tokenId ?? ''}`;

function groupsOf(movements: readonly Movement[]): Movement[][] {
  const groups = new Map<string, Movement[]>();
  for (const movement of movements) {
    const group = groups.get(keyOf(movement));
    if (group) group.push(movement);
    else groups.set(keyOf(movement), [movement]);
  }
  return [...groups.values()];
}

/** An approval replaces the previous one; one of zero revokes it. */
function lastOf(approvals: readonly Approval[]): Approval[] {
  // An NFT has a single spender, so a later approval replaces an earlier one.
  const last = new Map(
    approvals.map((approval) => [
      approval.kind === 'ERC721' ? keyOf(approval) : `${keyOf(approval)} ${approval.spender} ${approval.holder ?? ''}`,
      approval,
    ]),
  );
  return [...last.values()].filter(({ amount }) => amount !== 0n);
}

function assetOf(network: AccountNetwork, { token, kind }: Pick<Movement, 'token' | 'kind'>, name?: AssetName): Asset {
  const place = { chainId: network.networkId, chainName: clientChainName(network.chain), type: kind };
  if (token === null) {
    const { nativeSymbol: symbol, nativeDecimals: decimals } = network;
    return { address: null, ...place, name: symbol, symbol, decimals, logoUrl: '' };
  }
  const { name: text = '', symbol = '', decimals = 0, logoUrl = '' } = name ?? {};
  return { address: token, ...place, name: text, symbol, decimals, logoUrl };
}

function diffOf(
  network: AccountNetwork,
  group: readonly Movement[],
  account: string,
  names: PreviewParts['names'],
  prices: PreviewParts['prices'],
): AssetDiff {
  const [first] = group as [Movement];
  const name = first.token === null ? undefined : names.get(first.token);
  const asset = assetOf(network, first, name);
  const price = priceOf(network, asset, name, prices);
  const [arriving, leaving] = [
    sumOf(group, (movement) => movement.to === account),
    sumOf(group, ({ from }) => from === account),
  ];
  return {
    asset,
    transferIn: arriving > 0n ? [transferOf(asset, first, arriving, price, 'Receive')] : [],
    transferOut: leaving > 0n ? [transferOf(asset, first, leaving, price, 'Send')] : [],
  };
}

/** Of one; absent for tokens that no list names and for currencies of organizations, which may be called anything. */
function priceOf(
  network: AccountNetwork,
  { address, symbol }: Pick<Asset, 'address' | 'symbol'>,
  name: AssetName | undefined,
  prices: PreviewParts['prices'],
): number | undefined {
  const isKnown = address === null ? network.isNativeKnown : name?.isListed;
  return isKnown ? prices.get(symbol.toUpperCase()) : undefined;
}

/** Unlike `toFixed`, which writes an exponent from 1e21 on: an approval can be of far more than anybody has. */
const DOLLARS = new Intl.NumberFormat('en', {
  useGrouping: false,
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const dollarsOf = (value: string, price: number): string => DOLLARS.format(Number(value) * price);

const sumOf = (group: readonly Movement[], counts: (movement: Movement) => boolean): bigint =>
  group.filter(counts).reduce((sum, { amount }) => sum + amount, 0n);

const isNft = ({ kind }: Pick<Movement, 'kind'>): boolean => kind === 'ERC721' || kind === 'ERC1155';

function transferOf(
  asset: Asset,
  { kind, tokenId }: Movement,
  amount: bigint,
  price: number | undefined,
  verb: string,
): AssetTransfer {
  const value = formatUnits(amount, isNft({ kind }) ? 0 : asset.decimals);
  const label = asset.symbol || asset.name || asset.address || '';
  const summary =
    tokenId === undefined
      ? `${verb} ${value} ${label}`
      : `${verb} ${label} #${tokenId}${amount === 1n ? '' : ` × ${value}`}`;
  const usdPrice = price === undefined ? undefined : dollarsOf(value, price);
  return { rawValue: String(amount), value, summary, ...(usdPrice !== undefined && { usdPrice }) };
}

function exposuresOf(
  network: AccountNetwork,
  approvals: readonly Approval[],
  names: PreviewParts['names'],
  prices: PreviewParts['prices'],
): AssetExposure[] {
  return [...Map.groupBy(approvals, ({ token }) => token)].map(([token, ofToken]) => {
    const name = names.get(token);
    const asset = assetOf(network, ofToken[0]!, name);
    const price = priceOf(network, asset, name, prices);
    const spenders = [...Map.groupBy(ofToken, ({ spender }) => spender)];
    return {
      asset,
      spenderToInfo: Object.fromEntries(spenders.map(([spender, own]) => [spender, exposedOf(asset, own, price)])),
    };
  });
}

/** All that one spender may take of a token: several items, or from several token accounts. */
function exposedOf(
  { decimals }: Asset,
  approvals: readonly Approval[],
  price: number | undefined,
): AssetExposureSpenderToInfo {
  const amounts = approvals.flatMap(({ amount }) => (amount === 'all' ? [] : [amount]));
  if (amounts.length < approvals.length) return { amount: 'unlimited' };
  const items = approvals.flatMap(({ tokenId }) => (tokenId === undefined ? [] : [`#${tokenId}`]));
  if (items.length > 0) return { amount: items.join(', ') };
  const value = formatUnits(
    amounts.reduce((sum, amount) => sum + amount, 0n),
    decimals,
  );
  return { amount: value, ...(price !== undefined && { usdValue: dollarsOf(value, price) }) };
}

/** What the chain shows; it does not know whether the counterparty is to be trusted. */
function validationOf(
  { failure, givenTo, codeless }: Outcome,
  approvals: readonly Approval[],
): TransactionRiskValidation {
  if (failure !== null) return { result: 'Error', reason: 'transaction_fails', description: failure };
  if (givenTo !== undefined) {
    const description = `The account itself would belong to the program ${givenTo}, with all that it has or will have.`;
    return { result: 'Malicious', reason: 'account_given_away', description, classification: 'ownership' };
  }
  if (codeless !== undefined) {
    const description = `${codeless} has no code on this network: calling it does nothing.`;
    return { result: 'Warning', reason: 'no_contract', description };
  }
  const unlimited = approvals.find(({ amount }) => amount === 'all');
  if (!unlimited) return { result: null, reason: '' };
  return {
    result: 'Warning',
    reason: 'unlimited_approval',
    description: `${unlimited.spender} could take all of ${unlimited.token} that the account has or will have.`,
    classification: 'approval',
  };
}
