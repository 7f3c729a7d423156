import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** Seconds; from a warm call to the longest that a caller may wait. */
const callSeconds = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60, 120, 300];
const startSeconds = [0.03, 0.1, 0.2, 0.3, 0.5, 1, 2, 5, 10, 30];
const installSeconds = [0.3, 1, 2, 3, 5, 10, 20, 30, 60, 120, 300, 600];

/**
 * The host's metrics. Every label has a closed set of values: none is a tenant, a server, a
 * package, or anything else that a request says.
 */
export function openMetrics(registry: Registry) {
  const of = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ) => ({ name: `gangway_host_${name}`, help, labelNames, registers: [registry] });
  return {
    info: new Gauge(of("info", "Always 1; the label is the host's version.", ["version"])),
    residentBytes: new Gauge(of("resident_bytes", "Resident memory of the host itself.")),
    processes: new Gauge(of("processes", "Processes of servers, by what they do.", ["state"])),
    starts: new Counter(of("starts_total", "Starts of processes.", ["outcome"])),
    crashes: new Counter(
      of("crashes_total", "Processes that ended by their own fault.", ["reason"]),
    ),
    stops: new Counter(of("stops_total", "Processes that the host ended.", ["cause"])),
    kills: new Counter(of("kills_total", "Processes that had to be ended by SIGKILL.")),
    breakersOpen: new Gauge(
      of("breakers_open", "Servers that are not started now since they failed too often."),
    ),
    installs: new Gauge(of("installs", "Installations and pulls now.", ["runner", "state"])),
    installSeconds: new Histogram({
      ...of("install_seconds", "Time of installations and pulls.", ["runner", "outcome"]),
      buckets: installSeconds,
    }),
    packageLookups: new Counter(
      of("package_lookups_total", "Starts by whether their package was there.", [
        "runner",
        "result",
      ]),
    ),
    packageBytes: new Gauge(
      of("package_bytes", "Size of installed packages and downloads, as last counted."),
    ),
    packageEvictions: new Counter(
      of("package_evictions_total", "Installed packages that were removed to make room."),
    ),
    runsNow: new Gauge(of("runs", "Runs in flight, by what they wait for.", ["stage"])),
    runs: new Counter(of("runs_total", "Runs that ended: ok, or an error's code.", ["outcome"])),
    startSeconds: new Histogram({
      ...of("start_seconds", "Time of successful starts and handshakes, as callers saw it."),
      buckets: startSeconds,
    }),
    callSeconds: new Histogram({
      ...of("call_seconds", "Time of answered operations, without installation and start."),
      buckets: callSeconds,
    }),
    ticketsRefused: new Counter(
      of("tickets_refused_total", "Requests whose ticket was refused, by the error's code.", [
        "code",
      ]),
    ),
  };
}
