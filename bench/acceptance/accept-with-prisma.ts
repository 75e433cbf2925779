import type { Database } from '#server/db/database.ts';
import type { AcceptanceCall } from '#server/withdrawals/acceptance-call.ts';

/**
 * The same acceptance as an interactive transaction of Prisma's, statement by statement, the way it is first written: find the
 * key, lock the customer, read, decide, write. Kept for comparison; nothing of the product uses it.
 */
export async function acceptWithPrisma(db: Database, call: AcceptanceCall): Promise<'new' | 'existing' | 'refused'> {
  return await db.prisma.$transaction(
    async (tx) => {
      const known = await tx.withdrawal.findUnique({ where: { idempotencyKey: call.key } });
      if (known !== null) return 'existing';
      const [customer] = await tx.$queryRaw<{ frozen_at: Date | null; tier: string }[]>`
        select frozen_at, tier from customers where id = ${call.customer}::uuid for no key update`;
      if (customer === undefined || customer.frozen_at !== null) return 'refused';
      const pair = await tx.assetNetwork.findUniqueOrThrow({
        where: { assetId_networkId: { assetId: call.asset, networkId: call.network } },
      });
      const paused = await tx.switch.findFirst({
        where: { resumedAt: null, scope: { in: ['all', 'asset', 'network'] } },
      });
      if (!pair.enabled || paused !== null) return 'refused';
      const lookAlike = await tx.withdrawal.findFirst({
        where: { customerId: call.customer, address: call.address, assetId: call.asset, amountMinor: call.amount },
      });
      const balance = await tx.customerBalance.findUniqueOrThrow({
        where: { customerId_assetId: { customerId: call.customer, assetId: call.asset } },
      });
      const total = BigInt(call.amount) + BigInt(call.fee);
      if (lookAlike !== null || BigInt(balance.availableMinor.toFixed(0)) < total) return 'refused';
      await tx.$queryRaw`select sum(value_reference_minor)::text from withdrawals_counted_since(${call.customer}::uuid, protocol_now() - interval '30 days')`;
      await tx.withdrawal.create({
        data: {
          id: call.id,
          idempotencyKey: call.key,
          customerId: call.customer,
          assetId: call.asset,
          networkId: call.network,
          address: call.address,
          amountMinor: call.amount,
          feeMinor: call.fee,
          totalMinor: total.toString(),
          feeMode: call.fee_mode,
          status: 'queued',
          confirmationsRequired: 12,
          approvalsRequired: 0,
          nextActionAt: new Date(),
          valueReferenceMinor: call.value,
        },
      });
      await tx.withdrawalHistory.create({
        data: { withdrawalId: call.id, toStatus: 'queued', actor: 'customer', reason: 'requested' },
      });
      const transfer = await tx.ledgerTransfer.create({
        data: { assetId: call.asset, kind: 'hold', sourceId: call.id },
      });
      await tx.ledgerEntry.create({
        data: {
          transferId: transfer.id,
          leg: 1,
          assetId: call.asset,
          debitAccountId: balance.availableAccountId,
          creditAccountId: balance.heldAccountId,
          amountMinor: total.toString(),
        },
      });
      await tx.outboxMessage.create({ data: { withdrawalId: call.id } });
      return 'new';
    },
    // Under 32 in flight the default of two seconds is not enough for a place in the pool.
    { maxWait: 30_000, timeout: 30_000 },
  );
}
