import { type Hex, keccak256, toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import type { OwnChain } from '../../../worker/test-support/own-chain.ts';

/** Every contract is watched, as if each were one that we pay. */
export const everyContract: ReadonlySet<string> = new Proxy(new Set<string>(), {
  get: (set, name) => (name === 'has' ? () => true : Reflect.get(set, name)),
});

/** A number from 0 up to, and without, the bound. */
export type Dice = (below: number) => number;

/** The same throws for the same seed. */
export function diceOf(seedNumber: number): Dice {
  let state = seedNumber >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

// The ten accounts of every dev chain. One transaction of each at a time, so that any of them can be dropped or moved alone.
const ACCOUNTS = Array.from({ length: 10 }, (_, addressIndex) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex }),
);
const TRANSFER = keccak256(toHex('Transfer(address,address,uint256)')).slice(2);
const WORD = '00000000000000000000000000000000000000000000000000000000000000';

interface Placed {
  readonly raw: Hex;
  readonly account: number;
}

/** A chain that is reorganised at random by `anvil_reorg`. */
export class ReorgChain {
  /** What each block holds, by its number, for moving it elsewhere. */
  private readonly contents = new Map<number, readonly Placed[]>();
  private readonly nonces = new Map<number, number>();
  private free: number[] = [];
  private height = 0;
  private readonly node: OwnChain;

  constructor(node: OwnChain) {
    this.node = node;
  }

  /** Transactions of earlier scripts are out of the way: every account is free again. */
  async begin(): Promise<void> {
    this.height = Number(await this.node.rpc('eth_blockNumber'));
    this.free = ACCOUNTS.map((_, account) => account);
    this.contents.clear();
    this.nonces.clear();
  }

  async mine(dice: Dice, blocks: number): Promise<void> {
    for (let block = 0; block < blocks; block += 1) {
      const placed = await this.sign(dice, dice(3));
      await Promise.all(placed.map(({ raw }) => this.node.send(raw)));
      await this.node.mine();
      this.height += 1;
      this.contents.set(this.height, placed);
    }
  }

  /** The top goes: what was in it is dropped, moved to another block, or put in another order, and something new may come. */
  async reorganise(dice: Dice, depth: number): Promise<void> {
    const first = this.height - depth + 1;
    const numbers = Array.from({ length: depth }, (_, at) => first + at);
    const kept = numbers
      .flatMap((number) => this.contents.get(number) ?? [])
      .filter(({ account }) => {
        const isDropped = dice(4) === 0;
        if (isDropped) this.free.push(account);
        return !isDropped;
      });
    const all = [...kept, ...(await this.sign(dice, dice(2)))];
    const placed = all
      .map((one) => ({ one, number: first + dice(depth), order: dice(1_000) }))
      .sort((a, b) => a.order - b.order);
    await this.node.rpc('anvil_reorg', [depth, placed.map(({ one, number }) => [one.raw, number - first])]);
    for (const number of numbers) {
      this.contents.set(
        number,
        placed.filter((entry) => entry.number === number).map(({ one }) => one),
      );
    }
  }

  private async sign(dice: Dice, count: number): Promise<Placed[]> {
    const chosen = this.free.splice(0, count).map((account) => ({ account, fields: fieldsOf(dice) }));
    return await Promise.all(
      chosen.map(async ({ account, fields }) => {
        const signer = ACCOUNTS[account];
        if (signer === undefined) throw new Error('no such account');
        // Asked once a script: an account whose transaction was dropped stands where it stood.
        const nonce =
          this.nonces.get(account) ??
          Number(await this.node.rpc('eth_getTransactionCount', [signer.address, 'latest']));
        this.nonces.set(account, nonce);
        const fees = { gas: 300_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n };
        const raw = await signer.signTransaction({ chainId: 31_337, type: 'eip1559', nonce, ...fees, ...fields });
        return { raw, account };
      }),
    );
  }
}

/** A payment of coins, one that fails, or code that logs one to three token transfers and stops. */
function fieldsOf(dice: Dice): { to?: Hex; value?: bigint; data?: Hex } {
  const receiver = 1 + dice(3);
  const amount = 1 + dice(5);
  switch (dice(5)) {
    case 0:
      return { to: `0x${receiver.toString(16).padStart(40, 'b')}`, value: BigInt(amount) };
    case 1:
      // The one instruction that is invalid by definition.
      return { data: '0xfe', value: BigInt(amount) };
    default: {
      // The amount is the number of the block for some, so that the same transaction does something else in another block.
      const word = dice(3) === 0 ? '43' : `60${amount.toString(16).padStart(2, '0')}`;
      const topic = (last: number) => `7f${WORD}${last.toString(16).padStart(2, '0')}`;
      const log = `${word}5f52${topic(receiver)}${topic(9)}7f${TRANSFER}60205fa3`;
      return { data: `0x${log.repeat(1 + dice(3))}00` };
    }
  }
}
