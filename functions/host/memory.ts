import { totalmem } from "node:os";

const mebibyte = 1024 * 1024;
/** What the host itself takes, installations included. */
const hostBytes = 256 * mebibyte;
/** Resident memory of one npm server, and a quarter more. */
const processBytes = 128 * mebibyte;
const most = 1000;

/** Memory that the host may use: the container's where it is limited, else the machine's. */
export function memoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** How many processes of servers fit into so many bytes; at least one. */
export function processesFor(bytes: number): number {
  const fitting = Math.floor((bytes - hostBytes) / processBytes);
  return Math.min(Math.max(fitting, 1), most);
}
