import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '#server/api/root.ts';

type Outputs = inferRouterOutputs<AppRouter>;

export type WithdrawalView = Outputs['withdrawal']['byId'];
export type WithdrawalProof = Outputs['withdrawal']['proof'];
export type Quote = Outputs['withdrawal']['quote'];
export type AssetView = Outputs['asset']['list']['assets'][number];
export type NetworkView = AssetView['networks'][number];
export type OperatorListItem = Outputs['operator']['withdrawals']['items'][number];
export type OperatorWithdrawal = Outputs['operator']['withdrawal'];
export type WithdrawalStatus = WithdrawalView['status'];
export type AddressEntry = Outputs['addressBook']['list']['entries'][number];
export type SecurityView = Outputs['security']['overview'];
export type DepositAddressView = Outputs['deposit']['addresses']['addresses'][number];
export type DepositView = Outputs['deposit']['list']['items'][number];
export type StepUpNeed = Outputs['withdrawal']['stepUp'];
