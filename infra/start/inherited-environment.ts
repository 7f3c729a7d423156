/** What programs need of the machine's environment to find files, programs and the network. */
const names = [
  "HOME",
  "LANG",
  "PATH",
  "TMPDIR",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "NODE_EXTRA_CA_CERTS",
] as const;

/** The part of this process's environment that its children get: no secrets, no npm settings. */
export function inherited(): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
