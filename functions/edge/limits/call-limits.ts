import type { TenantPolicy } from "../../../shared/config/tenant-policy.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { type LeaseAnswer, type LeaseAsk, untilNextDayS } from "./budget-ledger.ts";

/** Holds the tenants to the limits of the deployment file. A tenant without limits costs nothing. */
export interface CallLimits {
  /**
   * Counts `calls` of the tenant.
   * @throws GatewayError RATE_LIMITED, BUDGET_EXHAUSTED, NOT_READY while they cannot be counted
   */
  admit(tenant: string, calls: number): Promise<void>;
  /** Before a stdio server is used. @throws GatewayError BUDGET_EXHAUSTED, NOT_READY */
  admitContainer(tenant: string): Promise<void>;
  /** Counts the milliseconds that a stdio server worked; never rejects. Run it after the answer. */
  charge(tenant: string, ms: number): Promise<void>;
}

/** One tenant's count, of all isolates together. */
export interface BudgetCounter {
  lease(ask: LeaseAsk): Promise<LeaseAnswer>;
  charge(ms: number): Promise<number>;
}

export interface CallLimitsParts {
  /** Null: nothing can count, which a tenant with limits is told. */
  readonly counter: ((tenant: string) => BudgetCounter) | null;
  readonly policy: (tenant: string) => Pick<TenantPolicy, "limits">;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** Calls that this isolate may still let through. */
interface Lease {
  calls: number;
  readonly minute: number;
  readonly day: number;
  readonly until: number;
}

const noLease: Lease = { calls: 0, minute: -1, day: -1, until: 0 };
/** Container time that was known this lately is taken for the sum. */
const sumFreshMs = 10_000;
/** A counter that takes longer does not answer. */
const counterMs = 3_000;

/** Limits of one isolate. Its memory holds a lease a tenant; losing one costs a few calls. */
export function createCallLimits({ counter, policy, clock }: CallLimitsParts): CallLimits {
  const leases = new Map<string, Lease>();
  const sums = new Map<string, { readonly ms: number; readonly at: number }>();

  function counterOf(tenant: string): BudgetCounter {
    if (counter === null) throw notCounted(undefined);
    return counter(tenant);
  }

  /** More calls; those of requests that asked at the same time are kept as well. */
  async function lease(tenant: string, calls: number): Promise<void> {
    const { calls_per_minute, calls_per_day } = policy(tenant).limits;
    const bounds = { perMinute: calls_per_minute ?? null, perDay: calls_per_day ?? null };
    const unused = leases.get(tenant) ?? noLease;
    leases.delete(tenant);
    const { minute, day } = unused;
    const ask = { calls, bounds, unused: { calls: unused.calls, minute, day } };
    const answer = await counted(() => counterOf(tenant).lease(ask));
    if (!answer.ok) throw reached(tenant, answer);
    const others = leases.get(tenant);
    const kept = others?.minute === answer.minute ? others.calls : 0;
    leases.set(tenant, { ...answer, calls: answer.calls - calls + kept });
  }

  async function containerMs(tenant: string): Promise<number> {
    const known = sums.get(tenant);
    if (known !== undefined && clock() - known.at < sumFreshMs) return known.ms;
    return addContainerMs(tenant, 0);
  }

  async function addContainerMs(tenant: string, ms: number): Promise<number> {
    const sum = await counted(() => counterOf(tenant).charge(ms));
    sums.set(tenant, { ms: sum, at: clock() });
    return sum;
  }

  return {
    async admit(tenant, calls) {
      const { calls_per_minute, calls_per_day } = policy(tenant).limits;
      if (calls_per_minute === undefined && calls_per_day === undefined) return;
      const held = leases.get(tenant) ?? noLease;
      if (held.until > clock() && held.calls >= calls) held.calls -= calls;
      else await lease(tenant, calls);
    },
    async admitContainer(tenant) {
      const minutes = policy(tenant).limits.container_minutes_per_day;
      if (minutes === undefined || (await containerMs(tenant)) < minutes * 60_000) return;
      throw new GatewayError(
        "BUDGET_EXHAUSTED",
        `The tenant has used its ${minutes} container minutes of today.`,
        {
          retryAfterS: untilNextDayS(clock()),
          details: { limit: "container_minutes_per_day", value: minutes },
        },
      );
    },
    async charge(tenant, ms) {
      if (policy(tenant).limits.container_minutes_per_day === undefined) return;
      try {
        await addContainerMs(tenant, Math.ceil(ms));
      } catch {
        // The call is answered: a counter that is away costs a part of the count.
      }
    },
  };
}

async function counted<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(notCounted(undefined)), counterMs);
  });
  try {
    return await Promise.race([ask(), late]);
  } catch (error) {
    throw error instanceof GatewayError ? error : notCounted(error);
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
}

/** Limits that cannot be counted are not lifted. */
function notCounted(cause: unknown): GatewayError {
  return new GatewayError("NOT_READY", "The tenant's use cannot be counted.", {
    retryAfterS: 5,
    cause,
  });
}

function reached(tenant: string, answer: Extract<LeaseAnswer, { ok: false }>): GatewayError {
  const { bound, limit, retryAfterS } = answer;
  const field = bound === "perDay" ? "calls_per_day" : "calls_per_minute";
  const code = bound === "perDay" ? "BUDGET_EXHAUSTED" : "RATE_LIMITED";
  const what = bound === "perDay" ? "a day" : "a minute";
  return new GatewayError(code, `Tenant '${tenant}' may make ${limit} calls ${what}.`, {
    retryAfterS,
    details: { limit: field, value: limit },
  });
}
