/** One variable that would steer what starts a server, or what the server's runtime loads. */
export interface EnvAttack {
  readonly what: string;
  readonly name: string;
  readonly value: string;
  /** An operator may set the name free, and the host then takes it. */
  readonly optional: boolean;
}

const optional = new Set(["ENV", "HTTPS_PROXY", "all_proxy", "AWS_PROFILE"]);

const rows: readonly (readonly [what: string, name: string, value: string])[] = [
  ["options of node", "NODE_OPTIONS", "--require /tmp/evil.js"],
  ["options of node in small letters", "node_options", "--require /tmp/evil.js"],
  ["node's modules", "NODE_PATH", "/tmp/evil"],
  ["node's certificates", "NODE_EXTRA_CA_CERTS", "/tmp/ca.pem"],
  ["node's trust", "NODE_TLS_REJECT_UNAUTHORIZED", "0"],
  ["the loader", "LD_PRELOAD", "/tmp/evil.so"],
  ["the loader's path, mixed", "Ld_Library_Path", "/tmp"],
  ["macOS's loader", "DYLD_INSERT_LIBRARIES", "/tmp/evil.dylib"],
  ["npm's shell", "npm_config_script_shell", "/tmp/evil"],
  ["npm's command", "NPM_CONFIG_CALL", "touch /tmp/x"],
  ["npm's registry", "Npm_Config_Registry", "https://evil.example"],
  ["npm's settings file", "npm_config_userconfig", "/tmp/rc"],
  ["Python's start", "PYTHONSTARTUP", "/tmp/evil.py"],
  ["Python's modules", "PYTHONPATH", "/tmp/evil"],
  ["uv's index", "UV_INDEX_URL", "https://evil.example"],
  ["uv's Python", "UV_PYTHON", "/tmp/python"],
  ["pip's index", "PIP_EXTRA_INDEX_URL", "https://evil.example"],
  ["git's ssh", "GIT_SSH_COMMAND", "/tmp/evil"],
  ["a shell's start", "BASH_ENV", "/tmp/evil.sh"],
  ["a plain shell's start", "ENV", "/tmp/evil.sh"],
  ["programs", "PATH", "/tmp/evil"],
  ["programs in small letters", "path", "/tmp/evil"],
  ["the home folder", "HOME", "/root"],
  ["the engine", "DOCKER_HOST", "tcp://evil.example:2375"],
  ["the engine's settings", "DOCKER_CONFIG", "/tmp/evil"],
  ["a proxy", "HTTPS_PROXY", "http://evil.example"],
  ["a proxy in small letters", "all_proxy", "http://evil.example"],
  ["certificates", "SSL_CERT_FILE", "/tmp/ca.pem"],
  ["Java's options", "JAVA_TOOL_OPTIONS", "-javaagent:/tmp/evil.jar"],
  ["Ruby's options", "RUBYOPT", "-r/tmp/evil.rb"],
  ["a profile of the cloud", "AWS_PROFILE", "other"],
  ["Gangway's own", "GANGWAY_TICKET_KEY", "x"],
  ["a value in the name", "A=B", "x"],
  ["a space in the name", "A B", "x"],
  ["a line in the name", "A\nB", "x"],
  ["no name", "", "x"],
  ["an option as name", "--privileged", "x"],
];

export const envAttacks: readonly EnvAttack[] = rows.map(([what, name, value]) => ({
  what,
  name,
  value,
  optional: optional.has(name),
}));
