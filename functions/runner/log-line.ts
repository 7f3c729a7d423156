/** One line of JSON in the Worker's log; never a tenant's name, nor anything of a run. */
export function logLine(fields: Readonly<Record<string, unknown>>): void {
  // oxlint-disable-next-line no-console -- the Worker's log is where its lines go
  console.info(JSON.stringify(fields));
}
