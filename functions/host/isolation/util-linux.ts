import { accessSync, constants } from "node:fs";

/** Programs of util-linux that isolation is made of, by their absolute paths. */
export interface UtilLinux {
  readonly setpriv: string;
  readonly prlimit: string;
  readonly flock: string;
}

const folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/** The programs, or the names of those that the machine lacks. PATH is not asked: these run with rights. */
export function findUtilLinux(): UtilLinux | { readonly missing: readonly string[] } {
  const [setpriv, prlimit, flock] = [find("setpriv"), find("prlimit"), find("flock")];
  if (setpriv !== null && prlimit !== null && flock !== null) return { setpriv, prlimit, flock };
  const found = { setpriv, prlimit, flock };
  return {
    missing: Object.entries(found).flatMap(([name, path]) => (path === null ? [name] : [])),
  };
}

function find(name: string): string | null {
  return folders.map((folder) => `${folder}/${name}`).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
