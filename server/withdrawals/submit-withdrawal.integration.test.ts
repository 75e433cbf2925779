import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processWithdrawal } from '../../worker/processors/withdrawal-processor.ts';
import { createDispatchWorld, type DispatchWorld } from '../../worker/test-support/dispatch-world.ts';

let world: DispatchWorld;
beforeAll(async () => {
  world = await createDispatchWorld();
  await world.seedControl();
});
afterAll(() => world.close());

const process = (withdrawalId: string) => processWithdrawal(world.tools, { withdrawalId });

describe('a queued withdrawal', () => {
  it('is sent once under its key, which is its reference too, and is submitted', async () => {
    const { withdrawalId, key } = await world.request();
    expect(await process(withdrawalId)).toMatchObject({ kind: 'submitted' });
    const row = await world.row(withdrawalId);
    expect(row).toMatchObject({ status: 'submitted', fence: '1', transfer_id: world.custody.transferOf(key).id });
    expect(world.custody.creates.filter((seen) => seen.key === key)).toHaveLength(1);
    expect(world.custody.creates.at(-1)).toMatchObject({ key, externalId: key });
  });
});
