/** What one tenant has used. Days and minutes are counted from 1970 in UTC. */
export interface Ledger {
  readonly day: number;
  readonly dayCalls: number;
  readonly dayContainerMs: number;
  readonly minute: number;
  readonly minuteCalls: number;
}

/** Upper bounds; null = none. */
export interface CallBounds {
  readonly perMinute: number | null;
  readonly perDay: number | null;
}

export interface LeaseAsk {
  /** Calls that are waiting to be made. */
  readonly calls: number;
  readonly bounds: CallBounds;
  /** Leased before and not used; counted back where their time is not over. */
  readonly unused: { readonly calls: number; readonly minute: number; readonly day: number };
}

export type LeaseAnswer =
  | {
      readonly ok: true;
      /** At least as many as were asked for. */
      readonly calls: number;
      readonly minute: number;
      readonly day: number;
      /** When unused calls are lost, milliseconds since 1970. */
      readonly until: number;
    }
  | {
      readonly ok: false;
      readonly bound: keyof CallBounds;
      readonly limit: number;
      /** Whole seconds until the bound counts from zero again. */
      readonly retryAfterS: number;
    };

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Leases are a small part of each bound, so that what a dying isolate takes along is little. */
const minuteShare = 12;
const dayShare = 1_000;

export const emptyLedger: Ledger = {
  day: 0,
  dayCalls: 0,
  dayContainerMs: 0,
  minute: 0,
  minuteCalls: 0,
};

/** Leases calls out of what is left of the minute and the day, or says which bound is reached. */
export function leaseCalls(
  before: Ledger,
  ask: LeaseAsk,
  now: number,
): { readonly ledger: Ledger; readonly answer: LeaseAnswer } {
  const ledger = returnUnused(turn(before, now), ask.unused);
  const { perMinute, perDay } = ask.bounds;
  const left = {
    perMinute: perMinute === null ? Number.POSITIVE_INFINITY : perMinute - ledger.minuteCalls,
    perDay: perDay === null ? Number.POSITIVE_INFINITY : perDay - ledger.dayCalls,
  };
  if (left.perDay < ask.calls) return { ledger, answer: refused("perDay", perDay ?? 0, now) };
  if (left.perMinute < ask.calls) {
    return { ledger, answer: refused("perMinute", perMinute ?? 0, now) };
  }
  const calls = Math.min(left.perMinute, left.perDay, Math.max(ask.calls, blockOf(ask.bounds)));
  const { minute, day } = ledger;
  const until = perMinute === null ? (day + 1) * dayMs : (minute + 1) * minuteMs;
  return { ledger: spend(ledger, calls), answer: { ok: true, calls, minute, day, until } };
}

/** Adds the milliseconds that a stdio server worked. */
export function chargeContainer(before: Ledger, ms: number, now: number): Ledger {
  const ledger = turn(before, now);
  return { ...ledger, dayContainerMs: ledger.dayContainerMs + Math.max(0, ms) };
}

/** The ledger as it stands now: what belongs to an earlier minute or day is gone. */
export function turn(ledger: Ledger, now: number): Ledger {
  const day = Math.floor(now / dayMs);
  const minute = Math.floor(now / minuteMs);
  const today = ledger.day === day ? ledger : { ...emptyLedger, day };
  return today.minute === minute ? today : { ...today, minute, minuteCalls: 0 };
}

/** Whole seconds until the next day of UTC. */
export function untilNextDayS(now: number): number {
  return Math.ceil((dayMs - (now % dayMs)) / 1000);
}

function returnUnused(ledger: Ledger, { calls, minute, day }: LeaseAsk["unused"]): Ledger {
  const ofDay = ledger.day === day ? calls : 0;
  const ofMinute = ledger.minute === minute ? calls : 0;
  return {
    ...ledger,
    dayCalls: Math.max(0, ledger.dayCalls - ofDay),
    minuteCalls: Math.max(0, ledger.minuteCalls - ofMinute),
  };
}

function spend(ledger: Ledger, calls: number): Ledger {
  return {
    ...ledger,
    dayCalls: ledger.dayCalls + calls,
    minuteCalls: ledger.minuteCalls + calls,
  };
}

function blockOf({ perMinute, perDay }: CallBounds): number {
  const ofMinute = perMinute === null ? Number.POSITIVE_INFINITY : perMinute / minuteShare;
  const ofDay = perDay === null ? Number.POSITIVE_INFINITY : perDay / dayShare;
  return Math.max(1, Math.floor(Math.min(ofMinute, ofDay)));
}

function refused(bound: keyof CallBounds, limit: number, now: number): LeaseAnswer {
  const restS =
    bound === "perDay" ? untilNextDayS(now) : Math.ceil((minuteMs - (now % minuteMs)) / 1000);
  return { ok: false, bound, limit, retryAfterS: restS };
}
