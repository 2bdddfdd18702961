import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Abi, Hex } from 'viem';

export interface Compiled {
  abi: Abi;
  bytecode: Hex;
  /** The code on chain after deployment, for contracts without immutables. */
  runtime: Hex;
}
interface Output {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<
    string,
    Record<string, { abi: Abi; evm: Record<'bytecode' | 'deployedBytecode', { object: string }> }>
  >;
}

// The compiler is a CommonJS package without types.
const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
const FILES = ['Tokens.sol', 'Trades.sol', 'Wallets.sol', 'Names.sol'];
let contracts: Output['contracts'][string] | undefined;

function compile(): Output['contracts'][string] {
  const contentOf = (file: string) => ({ content: readFileSync(new URL(file, import.meta.url), 'utf8') });
  const sources = Object.fromEntries(FILES.map((file) => [file, contentOf(file)]));
  const selection = { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } };
  // An older target runs on every node.
  const settings = { evmVersion: 'paris', outputSelection: selection };
  const input = { language: 'Solidity', sources, settings };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  return Object.assign({}, ...FILES.map((file) => output.contracts[file])) as Output['contracts'][string];
}

/** A contract from the sources beside this file, compiled once per process. */
export function compiled(name: string): Compiled {
  const contract = (contracts ??= compile())[name];
  if (!contract) throw new Error(`There is no contract ${name}.`);
  const { bytecode, deployedBytecode } = contract.evm;
  return { abi: contract.abi, bytecode: `0x${bytecode.object}`, runtime: `0x${deployedBytecode.object}` };
}
