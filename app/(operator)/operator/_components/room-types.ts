import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '#server/api/root.ts';

type Operator = inferRouterOutputs<AppRouter>['operator'];
type Asked = inferRouterInputs<AppRouter>['operator'];

export type Overview = Operator['overview']['show'];
export type Invariant = Overview['invariants'][number];
export type FlowPoint = Operator['overview']['flow']['points'][number];
export type Prevented = Operator['overview']['flow']['prevented'][number];
export type Approval = Operator['approvals']['list']['items'][number];
export type Doubt = Operator['doubts']['list']['items'][number];
export type DeadLetter = Operator['queues']['deadLetters']['items'][number];
export type PayoutSwitch = Operator['switches']['list']['items'][number];
export type StaffCustomer = Operator['customers']['list']['items'][number];
export type HaltedNetwork = Operator['reconciliation']['halted']['networks'][number];
export type ShownCase = Operator['cases']['list']['items'][number];
export type DeedStepUp = Operator['stepUp']['need'];
export type DeedSubject = Asked['stepUp']['begin'];
export type StepUp = NonNullable<Asked['doubts']['confirm']['stepUp']>;
export type ShownPrice = Operator['terms']['show']['prices'][number];
export type PairTerms = Operator['terms']['show']['pairs'][number];
export type LabReport = Operator['lab']['report'];
