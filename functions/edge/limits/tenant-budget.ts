import { DurableObject } from "cloudflare:workers";
import {
  chargeContainer,
  emptyLedger,
  type LeaseAnswer,
  type LeaseAsk,
  leaseCalls,
  type Ledger,
  turn,
} from "./budget-ledger.ts";

const ledgerKey = "ledger";

/**
 * What one tenant has used, of all isolates together. One object a tenant, named by its id. It
 * keeps one small record; losing it starts the day's count anew.
 */
export class TenantBudget extends DurableObject {
  /** Leases calls; the isolate that holds them asks again when they are used. */
  async lease(ask: LeaseAsk): Promise<LeaseAnswer> {
    const { ledger, answer } = leaseCalls(await this.#read(), ask, Date.now());
    await this.#write(ledger);
    return answer;
  }

  /** Adds container time; answers the day's sum, milliseconds. 0 asks for the sum alone. */
  async charge(ms: number): Promise<number> {
    const ledger = await this.#read();
    if (ms <= 0) return turn(ledger, Date.now()).dayContainerMs;
    const charged = chargeContainer(ledger, ms, Date.now());
    await this.#write(charged);
    return charged.dayContainerMs;
  }

  // No other request is let in between a read and the write that follows it.
  async #read(): Promise<Ledger> {
    return (await this.ctx.storage.get<Ledger>(ledgerKey)) ?? emptyLedger;
  }

  async #write(ledger: Ledger): Promise<void> {
    await this.ctx.storage.put(ledgerKey, ledger);
  }
}
