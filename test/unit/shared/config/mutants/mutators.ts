/** A server's entry as plain data, whatever client wrote it. */
export type Entry = Record<string, unknown>;

/** What a client calls the parts that mutators change. */
export interface Names {
  readonly env: string;
  readonly headers: string;
}

/** One way to break an entry. `apply` changes it and tells where, from the entry: keys and indexes. */
export interface Mutator {
  readonly rule: string;
  readonly apply: (entry: Entry, names: Names) => readonly (string | number)[] | null;
}

const token = `ghp_${"aB3".repeat(12)}`;

function isLocal(entry: Entry): boolean {
  return (
    typeof entry["command"] === "string" ||
    Array.isArray(entry["command"]) ||
    typeof entry["cmd"] === "string"
  );
}

function urlKey(entry: Entry): string | undefined {
  return ["httpUrl", "serverUrl", "url", "uri"].find((key) => typeof entry[key] === "string");
}

function record(entry: Entry, key: string): Entry {
  const value = entry[key];
  const next: Entry =
    typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  entry[key] = next;
  return next;
}

/** Sets a whole argv, in the form that the entry uses; the place is that of argument `at`, -1 the command. */
function argv(rule: string, words: readonly string[], at: number): Mutator {
  return {
    rule,
    apply: (entry) => {
      if (!isLocal(entry)) return null;
      const [command = "", ...args] = words;
      if (Array.isArray(entry["command"])) {
        entry["command"] = [...words];
        return ["command", at + 1];
      }
      const key = entry["cmd"] === undefined ? "command" : "cmd";
      entry[key] = command;
      entry["args"] = args;
      return at === -1 ? [key] : ["args", at];
    },
  };
}

function env(rule: string, name: string, value: unknown): Mutator {
  return {
    rule,
    apply: (entry, names) => {
      if (!isLocal(entry)) return null;
      record(entry, names.env)[name] = value;
      return [names.env, name];
    },
  };
}

function header(rule: string, name: string, value: unknown): Mutator {
  return {
    rule,
    apply: (entry, names) => {
      if (urlKey(entry) === undefined) return null;
      record(entry, names.headers)[name] = value;
      return [names.headers, name];
    },
  };
}

function url(rule: string, value: string): Mutator {
  return {
    rule,
    apply: (entry) => {
      const key = urlKey(entry);
      if (key === undefined) return null;
      entry[key] = value;
      return [key];
    },
  };
}

function field(rule: string, name: string, value: unknown): Mutator {
  return {
    rule,
    apply: (entry) => {
      entry[name] = value;
      return [name];
    },
  };
}

/** A container that is given a variable which its options do not name. */
const unforwarded: Mutator = {
  rule: "GW217",
  apply: (entry, names) => {
    if (argv("GW217", ["docker", "run", "-i", "--rm", "a/b"], -1).apply(entry, names) === null)
      return null;
    record(entry, names.env)["NOT_NAMED_7"] = "x";
    return [names.env, "NOT_NAMED_7"];
  },
};

export const mutators: readonly Mutator[] = [
  argv("GW201", ["bash", "-c", "npx x && id"], -1),
  argv("GW201", ["nodemon", "server.js"], -1),
  argv("GW203", ["npx", "-c", "id"], 0),
  argv("GW203", ["npx", "--script-shell=/tmp/x", "pkg@1.0.0"], 0),
  argv("GW203", ["npx", "-y", "good@npm:evil@1.0.0"], 1),
  argv("GW203", ["npx", "-y", "git+https://example.com/x.git"], 1),
  argv("GW203", ["npx", "-y", "./local"], 1),
  argv("GW203", ["uvx", "--with", "evil", "pkg==1.0.0"], 0),
  argv("GW203", ["uvx", "--from", "git+https://example.com/x", "bin"], 1),
  argv("GW203", ["docker", "run", "-i", "--rm", "--privileged", "a/b"], 3),
  argv("GW203", ["docker", "-H", "tcp://x", "run", "a/b"], 0),
  argv("GW204", ["npx", "-y", "pkg@latest"], 1),
  argv("GW204", ["uvx", "pkg"], 0),
  argv("GW204", ["docker", "run", "-i", "--rm", "a/b:latest"], 3),
  argv("GW205", ["npx", "pkg@1.0.0"], 0),
  argv("GW206", ["docker", "run", "--rm", "a/b"], 0),
  argv("GW207", ["docker", "run", "-i", "a/b"], 0),
  argv("GW208", ["npx", "-y", "-p", "pkg@1.0.0", "sh", "-c", "id"], 3),
  argv("GW208", ["uvx", "--from", "pkg==1.0.0", "bash", "-c", "id"], 2),
  argv("GW211", ["docker", "run", "-i", "--rm", "-e", "NOT_IN_ENV_7", "a/b"], 0),
  argv("GW213", ["npx", "-y", "mcp-remote@0.1.30", "https://a.example.com/mcp"], 1),
  argv("GW216", ["npx", "-y", "pkg@1.0.0", "/Users/kim/Documents"], 2),
  argv("GW216", ["uvx", "pkg==1.0.0", "--root=C:\\work"], 1),
  argv("GW310", ["npx", "-y", "mcp-remote@0.1.30", "http://localhost:3000/mcp"], 2),
  argv("GW401", ["npx", "-y", "pkg@1.0.0", `--token=${token}`], 2),
  argv("GW403", ["npx", "-y", "pkg@1.0.0", "postgres://app:s3cr3t-9@db.example.com/x"], 2),
  argv("GW414", ["npx", "-y", "pkg@1.0.0", "${TOKEN}"], 2),
  env("GW209", "LD_PRELOAD", "/tmp/x.so"),
  env("GW209", "npm_Config_registry", "https://x.example.com"),
  env("GW120", "A", ["list"]),
  env("GW107", "constructor", "x"),
  env("GW139", "A", "x".repeat(70_000)),
  env("GW401", "A", token),
  env("GW402", "DB_PASSWORD", "correct-horse7"),
  env("GW403", "DB_URL", "mysql://root:s3cr3t-9@db.example.com/x"),
  env("GW404", "API_KEY", "<your-api-key>"),
  env("GW405", "API_KEY", ""),
  unforwarded,
  env("GW411", "A", "${NOT A NAME}"),
  env("GW413", "A", "${cmd:id}"),
  env("GW415", "A", "${CLAUDE_PLUGIN_ROOT}/x"),
  env("GW417", "A", `\${env:${token}}`),
  header("GW308", "Host", "x"),
  header("GW308", "X-A", "a\nb"),
  header("GW405", "Authorization", "Bearer "),
  header("GW401", "Authorization", `Bearer ${token}`),
  header("GW402", "X-API-Key", "4f9a7c2e55d1"),
  header("GW120", "X-A", { a: 1 }),
  url("GW301", "mcp.example.com/mcp"),
  url("GW302", "http://mcp.example.com/mcp"),
  url("GW302", "http://localhost.evil.com/mcp"),
  url("GW304", "https://169.254.169.254/mcp"),
  url("GW304", "https://[::ffff:10.0.0.1]/mcp"),
  url("GW306", "https://u:p4ssw0rd-x@mcp.example.com/mcp"),
  url("GW307", "https://mcp.example.com/mcp#x"),
  url("GW403", "https://mcp.example.com/mcp?api_key=4f9a7c2e55d1"),
  url("GW410", "https://${HOST}/mcp"),
  field("GW114", "notAField", 1),
];
