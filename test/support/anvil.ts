import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  getAddress,
  http,
  type Address,
  type Hex,
  type PublicClient,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { MULTICALL3 } from '../../src/networks/rpc/evm-answers.js';
import { compiled } from './contracts-evm/compiled.js';

const BINARY = fileURLToPath(
  new URL(`../../node_modules/@foundry-rs/anvil-${process.platform}-${goArch()}/bin/anvil`, import.meta.url),
);
function goArch(): string {
  return process.arch === 'x64' ? 'amd64' : process.arch;
}
/** The first account that anvil funds, from its published mnemonic. */
const FUNDED: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

const clientsOf = (url: string, chainId: number) => {
  const transport = http(url);
  const chain = { ...foundry, id: chainId };
  return {
    reading: createPublicClient({ chain, transport, pollingInterval: 20 }) as PublicClient,
    writing: createWalletClient({ chain, transport, account: privateKeyToAccount(FUNDED) }),
    cheating: createTestClient({ chain, transport, mode: 'anvil' }),
  };
};

/** A separate real EVM chain, number 31337 by default, with contracts from the tests' sources. */
export class Anvil {
  private constructor(
    readonly url: string,
    private readonly clients: ReturnType<typeof clientsOf>,
    readonly close: () => Promise<void>,
  ) {}

  static async start(chainId: number = foundry.id): Promise<Anvil> {
    const where = ['--port', '0', '--host', '127.0.0.1', '--chain-id', String(chainId)];
    const child = spawn(BINARY, where, { stdio: ['ignore', 'pipe', 'inherit'] });
    const url = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        const [, address] = /Listening on (127\.0\.0\.1:\d+)/.exec(text) ?? [];
        if (address) resolve(`http://${address}`);
      });
      child.once('exit', (code) => reject(new Error(`anvil ended with ${code}: ${text.slice(-500)}`)));
      child.once('error', reject);
    });
    return new Anvil(url, clientsOf(url, chainId), async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    });
  }

  get client(): PublicClient {
    return this.clients.reading;
  }

  async deploy(name: string, args: readonly unknown[] = []): Promise<Address> {
    const { abi, bytecode } = compiled(name);
    const hash = await this.clients.writing.deployContract({ abi, bytecode, args });
    const { contractAddress } = await this.client.waitForTransactionReceipt({ hash });
    if (!contractAddress) throw new Error(`${name} was not deployed`);
    return getAddress(contractAddress);
  }

  async send(name: string, address: Address, functionName: string, args: readonly unknown[]): Promise<void> {
    const { abi } = compiled(name);
    const hash = await this.clients.writing.writeContract({ abi, address, functionName, args });
    await this.client.waitForTransactionReceipt({ hash });
  }

  /** Deploys a multicall at its address on public networks. */
  async withMulticall(): Promise<this> {
    await this.place('Multicall', MULTICALL3);
    return this;
  }

  /** Places a contract at a given address. */
  async place(name: string, address: Address): Promise<void> {
    await this.clients.cheating.setCode({ address, bytecode: compiled(name).runtime });
  }

  async setBalance(address: Address, value: bigint): Promise<void> {
    await this.clients.cheating.setBalance({ address, value });
  }
}
