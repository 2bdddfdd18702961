import { decodeErrorResult, isHex, parseAbi, size, slice } from 'viem';
import { foreignText } from '../foreign-text.js';

/** Solidity's Error and Panic, and entry point errors (ERC-4337). */
const KNOWN = parseAbi([
  'error Error(string reason)',
  'error Panic(uint256 code)',
  'error FailedOp(uint256 opIndex, string reason)',
  'error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
]);
const MAX_LENGTH = 300;

/** Why a contract reverted, in words if it gave any. */
export function revertReason(data: unknown): string {
  if (!isHex(data, { strict: true }) || size(data) < 4) return 'execution reverted';
  try {
    const { errorName, args } = decodeErrorResult({ abi: KNOWN, data });
    const [first, second] = args as readonly unknown[];
    const words =
      errorName === 'Error' ? first : errorName.startsWith('FailedOp') ? second : `${errorName}(${args.join(', ')})`;
    return foreignText(String(words), MAX_LENGTH);
  } catch {
    return `execution reverted with ${slice(data, 0, 4)}`;
  }
}
