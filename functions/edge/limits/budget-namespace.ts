import type { TenantPolicy } from "../../../shared/config/tenant-policy.ts";
import { type BudgetCounter, type CallLimits, createCallLimits } from "./call-limits.ts";

/** The Durable Objects that count, one a tenant. */
export interface BudgetNamespace {
  getByName(tenant: string): BudgetCounter;
}

export function isBudgetNamespace(binding: unknown): binding is BudgetNamespace {
  return (
    typeof binding === "object" &&
    binding !== null &&
    "getByName" in binding &&
    typeof binding.getByName === "function"
  );
}

/** The limits of the deployment's tenants, counted by the Worker's Durable Objects. */
export function callLimits(
  settings: {
    readonly budgets: BudgetNamespace | null;
    readonly policyOf: (tenant: string) => Pick<TenantPolicy, "limits">;
  },
  clock: () => number,
): CallLimits {
  const { budgets, policyOf } = settings;
  return createCallLimits({
    counter: budgets === null ? null : (tenant) => budgets.getByName(tenant),
    policy: policyOf,
    clock,
  });
}
