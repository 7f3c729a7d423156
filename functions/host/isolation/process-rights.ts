/** What the kernel lets a process do, as `/proc/<pid>/status` tells it. */
export interface ProcessRights {
  /** The real user's id; -1 when it is not told. */
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
  readonly noNewPrivileges: boolean;
  /** Names of what it may do now. */
  readonly permitted: readonly string[];
}

/** A root host needs these and no others: to give launches their identity, their folders, and their end. */
export const neededCapabilities = ["CHOWN", "DAC_OVERRIDE", "KILL", "SETGID", "SETUID"] as const;

/** By bit, as linux/capability.h counts them; a newer one is shown by its number. */
const names = `
  CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP
  LINUX_IMMUTABLE NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER
  SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE
  SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SETFCAP
  MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF
  CHECKPOINT_RESTORE
`
  .trim()
  .split(/\s+/);

/** Reads the text of `/proc/<pid>/status`; what it does not tell counts as no right. */
export function readRights(status: string): ProcessRights {
  const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, "m").exec(status)?.[1] ?? "";
  const numbers = (name: string) => field(name).split(/\s+/).filter(Boolean).map(Number);
  const set = (name: string) => BigInt(`0x${field(name) || "0"}`);
  return {
    uid: numbers("Uid")[0] ?? -1,
    gid: numbers("Gid")[0] ?? -1,
    groups: numbers("Groups"),
    noNewPrivileges: field("NoNewPrivs") === "1",
    permitted: capabilityNames(set("CapPrm")),
  };
}

function capabilityNames(set: bigint): string[] {
  const bits = Array.from({ length: 64 }, (_, bit) => bit).filter(
    (bit) => (set >> BigInt(bit)) & 1n,
  );
  return bits.map((bit) => names[bit] ?? String(bit)).sort();
}
