import { describe, expect, it } from "vitest";
import { canonicalLaunch, type LaunchFields } from "../../../../shared/policy/approved-launches.ts";
import type { Check } from "../../../../shared/policy/check.ts";
import { parseDestination } from "../../../../shared/policy/destinations.ts";
import { checkEnvName } from "../../../../shared/policy/env-names.ts";
import { checkHeader } from "../../../../shared/policy/headers.ts";
import { parseListedHost } from "../../../../shared/policy/host-list.ts";
import { parseLaunch } from "../../../../shared/policy/launch.ts";
import { parsePackagePattern } from "../../../../shared/policy/package-lists.ts";
import { checkSubmittedLaunch, checkSubmittedUrl } from "../../../../shared/policy/submitted.ts";
import { urlRefusals } from "../../../../shared/policy/url.ts";

/** What is refused, and the words by which its author learns what is wrong and what to do. */
type Row<Input> = readonly [input: Input, message: string, hint: string];

const launches: readonly Row<readonly [string, readonly string[]]>[] = [
  [
    ["node", ["x"]],
    'The command "node" is not one that Gangway runs.',
    "Publish the server and start it by npx (npm), uvx (Python) or docker.",
  ],
  [
    ["/usr/bin/NPX.CMD", []],
    'The command "/usr/bin/NPX.CMD" is not one that Gangway runs.',
    "Write `npx` alone.",
  ],
  [["npx", ["-y", "a", "\u0000"]], "An argument holds a NUL character.", "Remove it."],
  [
    ["npx", ["-c", "id"]],
    "npx may not be given -c before the package.",
    "Before the package only -y and --package may stand; options of the server go after its package.",
  ],
  [["npx", ["-p"]], "npx -p names no package.", "Write the package after -p."],
  [["npx", ["--package"]], "npx --package names no package.", "Write the package after --package."],
  [
    ["npx", ["-p", "a", "-p", "b", "a"]],
    "npx is given --package more than once.",
    "Name the server's package alone.",
  ],
  [["npx", []], "npx names no package.", "Write the package, as in `-y @scope/name@1.2.3`."],
  [
    ["npx", ["-p", "@s/a@1.0.0"]],
    "npx --package names no program to run.",
    "Write the program after the package, or drop --package: `-y @s/a` runs its only program.",
  ],
  [
    ["npx", ["a b"]],
    '"a b" is no npm package\'s name.',
    "Write the name as the registry has it, `name` or `@scope/name`, with an exact version after it.",
  ],
  [["npx", ["a@^1.2.3"]], '"^1.2.3" is a range of versions of a.', "Write one version: `a@1.2.3`."],
  [
    ["npx", ["a@1.x"]],
    '"1.x" is a range of versions of a.',
    "Write one of the versions that `npm view a versions` lists, as in `a@1.2.3`.",
  ],
  [
    ["npx", ["a@!"]],
    '"!" is neither a version nor a tag of a.',
    "Write an exact version, as in `a@1.2.3`; `npm view a versions` lists them.",
  ],
  [
    ["npx", ["-y", ""]],
    'The package "" is empty.',
    "Write the package's name as the registry has it, with an exact version after it.",
  ],
  [
    ["npx", ["${A}"]],
    'The package "${A}" holds a reference.',
    "Write the package and its version out; references are for env values.",
  ],
  [
    ["npx", ["{{A}}"]],
    'The package "{{A}}" still holds a template\'s placeholder.',
    "Fill in what the template left open.",
  ],
  [
    ["npx", ["a@npm:b"]],
    'The package "a@npm:…" is an alias, which runs another package than it names.',
    "Write the package that is meant by its own name.",
  ],
  [
    ["npx", ["./a"]],
    'The package "./a" is a path or a file.',
    "Write the package's name as the registry has it, with an exact version after it.",
  ],
  [
    ["npx", ["file:a"]],
    'The package "file:…" is a path.',
    "Write the package's name as the registry has it, with an exact version after it.",
  ],
  [
    ["npx", ["c:\\a"]],
    'The package "c:…" is a path.',
    "Write the package's name as the registry has it, with an exact version after it.",
  ],
  [
    ["npx", ["git+ssh://a"]],
    'The package "git+ssh:…" is a repository.',
    "Write the package's name as the registry has it, with an exact version after it.",
  ],
  [
    ["npx", ["http://a"]],
    'The package "http:…" is a URL.',
    "Write the package's name as the registry has it, with an exact version after it.",
  ],
  [
    ["npx", ["a/b"]],
    'The package "a/b" is the short form of a repository.',
    "Write the package's name as the registry has it, with an exact version after it.",
  ],
  [
    ["npx", ["a".repeat(513)]],
    "The package is longer than 512 characters.",
    "Write the package's name as the registry has it, with an exact version after it.",
  ],
  [
    ["npx", ["-p", "a", ""]],
    "No program is named.",
    "Write the plain name of a program that the package itself declares.",
  ],
  [
    ["npx", ["-p", "a", "${B}"]],
    "The program's name holds a reference.",
    "Write the program's name out.",
  ],
  [
    ["npx", ["-p", "a", "../b"]],
    'The program "../b" is a path.',
    "Write the plain name of a program that the package itself declares.",
  ],
  [
    ["npx", ["-p", "a", "b!"]],
    '"b!" is no program\'s name.',
    "Write the plain name of a program that the package itself declares.",
  ],
  [
    ["npx", ["-p", "a", "sh"]],
    '"sh" is a shell, an interpreter or a launcher, which would run whatever its arguments say.',
    "Publish the server as a package that declares a program of its own, and name that program.",
  ],
  [["uvx", []], "uvx names no package.", "Write the package, as in `name==1.2.3`."],
  [
    ["uvx", ["--with", "x", "a"]],
    "uvx may not be given --with before the package or program.",
    "Before the package only --from and --python with a version may stand; options of the server go after its program.",
  ],
  [
    ["uvx", ["--python", "/p", "a"]],
    'uvx may not be given "/p" as its Python.',
    "Write a version such as `3.13`, or remove it: the host has one Python, and uvx takes it.",
  ],
  [
    ["uvx", ["--from", "a", "--from", "b", "c"]],
    "uvx is given --from twice.",
    "Write one package.",
  ],
  [["uvx", ["--from"]], "uvx --from has no value.", "Write the value after --from."],
  [
    ["uvx", ["--from", "a"]],
    "uvx --from names no program to run.",
    "Write the program that the package declares after it.",
  ],
  [
    ["uvx", ["a>=1"]],
    '"a>=1" is a range of versions.',
    "Write one exact version, as in `name==1.2.3`; uvx has no tags but `@latest`.",
  ],
  [
    ["uvx", ["a b"]],
    '"a b" is no Python package\'s name.',
    "Write the name as the index has it, `name` or `name[extra]`, with `==` and an exact version after it.",
  ],
  [
    ["uvx", ["a==1.*"]],
    '"1.*" is no exact version of a.',
    "Write one exact version, as in `name==1.2.3`; uvx has no tags but `@latest`.",
  ],
  [
    ["uvx", ["a==x"]],
    '"x" is no exact version of a.',
    "Write one exact version, as in `name==1.2.3`; uvx has no tags but `@latest`.",
  ],
  [
    ["uvx", ["-a-"]],
    "uvx may not be given -a before the package or program.",
    "Before the package only --from and --python with a version may stand; options of the server go after its program.",
  ],
  [
    ["uvx", ["a[-]"]],
    '"a[-]" is no Python package\'s name.',
    "Write the name as the index has it, `name` or `name[extra]`, with `==` and an exact version after it.",
  ],
  [
    ["docker", ["build"]],
    "The first argument of docker is not run.",
    "Write `run -i --rm IMAGE`; no option of docker itself and no other of its commands may stand.",
  ],
  [
    ["docker", ["run"]],
    "docker run names no image.",
    "Write the image after the options, as in `ghcr.io/owner/name:1.2.3`.",
  ],
  [["docker", ["run", "-e"]], "docker run -e has no value.", "Write the value after -e."],
  [
    ["docker", ["run", "-it", "a"]],
    "docker run is given a terminal, which garbles the protocol.",
    "Write -i in place of -t or -it.",
  ],
  [
    ["docker", ["run", "--privileged", "a"]],
    "docker run may not be given --privileged.",
    "Before the image only -i, --rm, --init, -e NAME, -e NAME=VALUE, and -v or --mount under the policy's folders may stand, each by itself.",
  ],
  [
    ["docker", ["run", "--env-file", "x", "a"]],
    "docker run may not be given --env-file.",
    "Name the file in the server's `env_file`, and its variables by `-e NAME`.",
  ],
  [
    ["docker", ["run", "-d", "a"]],
    "docker run may not be given -d.",
    "Remove it: a server in the background cannot be talked to.",
  ],
  [
    ["docker", ["run", "--detach", "a"]],
    "docker run may not be given --detach.",
    "Remove it: a server in the background cannot be talked to.",
  ],
  [
    ["docker", ["run", "-p", "1:1", "a"]],
    "docker run may not be given -p.",
    "Remove it: a stdio server listens on no port.",
  ],
  [
    ["docker", ["run", "-P", "a"]],
    "docker run may not be given -P.",
    "Remove it: a stdio server listens on no port.",
  ],
  [
    ["docker", ["run", "--publish=1:1", "a"]],
    "docker run may not be given --publish.",
    "Remove it: a stdio server listens on no port.",
  ],
  [
    ["docker", ["run", "--name=-", "a"]],
    "docker run may not be given --name.",
    "Remove it: the host that runs the container decides this.",
  ],
  [
    ["docker", ["run", "--network", "host", "a"]],
    "docker run may not be given --network.",
    "Remove it: the host that runs the container decides this.",
  ],
  [
    ["docker", ["run", "--net=host", "a"]],
    "docker run may not be given --net.",
    "Remove it: the host that runs the container decides this.",
  ],
  [
    ["docker", ["run", "--memory=1g", "a"]],
    "docker run may not be given --memory.",
    "Remove it: the host that runs the container decides this.",
  ],
  [
    ["docker", ["run", "--cpus=1", "a"]],
    "docker run may not be given --cpus.",
    "Remove it: the host that runs the container decides this.",
  ],
  [
    ["docker", ["run", "--pull=always", "a"]],
    "docker run may not be given --pull.",
    "Remove it: the host that runs the container decides this.",
  ],
  [
    ["docker", ["run", "--platform=x", "a"]],
    "docker run may not be given --platform.",
    "Remove it: the host that runs the container decides this.",
  ],
  [
    ["docker", ["run", "--user=0", "a"]],
    "docker run may not be given --user.",
    "Remove it: the host that runs the container decides this.",
  ],
  [
    ["docker", ["run", "-u", "0", "a"]],
    "docker run may not be given -u.",
    "Remove it: the host that runs the container decides this.",
  ],
  [
    ["docker", ["run", ""]],
    "The image is empty.",
    "Write a published image, as in `ghcr.io/owner/name:1.2.3` or `name@sha256:…`, in lower case.",
  ],
  [
    ["docker", ["run", "${A}"]],
    "The image holds a reference.",
    "Write the image and its version out; references are for env values.",
  ],
  [
    ["docker", ["run", "$A"]],
    "The image still holds a template's placeholder.",
    "Fill in what the template left open.",
  ],
  [
    ["docker", ["run", "A!"]],
    '"A!" is no image\'s name.',
    "Write a published image, as in `ghcr.io/owner/name:1.2.3` or `name@sha256:…`, in lower case.",
  ],
  [
    ["docker", ["run", "10.0.0.1/a"]],
    "The registry 10.0.0.1 is no public host.",
    "Push the image to a registry with a public name.",
  ],
  [
    ["docker", ["run", "a:-"]],
    '"-" is no image\'s tag.',
    "Write a tag of letters, digits, `_`, `.` and `-`.",
  ],
  [
    ["docker", ["run", "a@sha256:1"]],
    "The image's digest is not `sha256:` and 64 hex digits.",
    "Copy the digest that `docker images --digests` shows.",
  ],
  [
    ["docker", ["run", "-e", "A B", "a"]],
    '"A B" is no name of an environment variable.',
    "Use letters, digits and underscores, not a digit first.",
  ],
  [
    ["docker", ["run", "-e", "PATH=x", "a"]],
    "The environment variable PATH is reserved: it decides where programs and files are found.",
    "Remove it; settings of the server itself go under names of its own or into its args.",
  ],
  [
    ["docker", ["run", "-e", "HTTPS_PROXY", "a"]],
    "The environment variable HTTPS_PROXY is reserved: it sends the server's traffic through another machine.",
    "Remove it, or ask the operator to set this very name free in the policy.",
  ],
];
const urls: readonly Row<readonly [string, boolean]>[] = [
  [
    [`https://a.example.com/${"a".repeat(2048)}`, false],
    "The URL has 2070 characters.",
    "Use one of at most 2048.",
  ],
  [
    ["no url", false],
    "The URL cannot be parsed as it stands.",
    "Write an absolute URL, as in https://mcp.example.com/mcp, without spaces or backslashes.",
  ],
  [
    ["https:\\\\a", false],
    "The URL cannot be parsed as it stands.",
    "Write an absolute URL, as in https://mcp.example.com/mcp, without spaces or backslashes.",
  ],
  [
    ["https://${A}.example.com/", false],
    "The URL holds a reference outside its query.",
    "Write scheme, host and path out; references may stand in the query and in headers.",
  ],
  [
    ["ftp://a.example.com/", false],
    "This transport does not take URLs of the scheme ftp.",
    "Use https://.",
  ],
  [
    ["ws://a.example.com/", false],
    "This transport does not take URLs of the scheme ws.",
    "Use https://.",
  ],
  [
    ["https://u:p@a.example.com/", false],
    "The URL of a.example.com holds a user name or password.",
    "Send credentials in `headers`, with a reference: Authorization: Bearer ${NAME}.",
  ],
  [
    ["https://a.example.com/#x", false],
    "The URL of a.example.com has a fragment.",
    "Remove `#` and what follows it.",
  ],
  [
    ["https://localhost/", false],
    "The host localhost is this machine itself.",
    "Use the server's public host name.",
  ],
  [
    ["https://a.internal/", false],
    "The host a.internal is in a zone of private or special use.",
    "Use the server's public host name.",
  ],
  [
    ["https://metadata.google.internal/", false],
    "The host metadata.google.internal answers with a cloud's credentials.",
    "Use the server's public host name.",
  ],
  [
    ["https://abcd/", false],
    "The host abcd is no full name.",
    "Use the server's public host name.",
  ],
  [
    ["https://intranet/", false],
    "The host intranet is in a zone of private or special use.",
    "Use the server's public host name.",
  ],
  [
    ["https://a.example.com./", false],
    "The host a.example.com. ends with a dot.",
    "Use the server's public host name.",
  ],
  [
    ["https://a_-.-b/", false],
    "The host a_-.-b is no host name.",
    "Use the server's public host name.",
  ],
  [
    ["https://169.254.169.254/", false],
    "The host 169.254.169.254 answers with a cloud's credentials.",
    "Use the server's public host name.",
  ],
  [
    ["https://10.0.0.1/", false],
    "The host 10.0.0.1 is no public address.",
    "Use the server's public host name.",
  ],
  [
    ["https://127.0.0.1/", false],
    "The host 127.0.0.1 is this machine itself.",
    "Use the server's public host name.",
  ],
  [
    ["https://8.8.8.8/", false],
    "The host 8.8.8.8 is an address, not a name.",
    "Use the server's public host name.",
  ],
  [
    ["http://a.example.com/", false],
    "The URL of a.example.com is not encrypted.",
    "Use https://; plain URLs are for loopback in development.",
  ],
  [
    ["http://a.example.com/", true],
    "The URL of a.example.com is not encrypted.",
    "Use https://; plain URLs are for loopback in development.",
  ],
  [
    ["https://a.example.com:22/", false],
    "Port 22 of a.example.com may not be contacted.",
    "Use one of these ports: 443, 8443.",
  ],
  [
    ["https://a.example.com:0/", true],
    "Port 0 of a.example.com may not be contacted.",
    "Use a port from 1 to 65535.",
  ],
  [
    ["https://own.example.com/", false],
    "The host own.example.com is Gangway's own.",
    "Name the server itself, not the gateway before it.",
  ],
];
const headers: readonly Row<readonly [string, string]>[] = [
  [["a b", "x"], '"a b" is no name of an HTTP header.', "Use letters, digits and hyphens."],
  [
    ["connection", "x"],
    'The header "connection" may not be set: it concerns one connection alone.',
    "Remove it from `headers`.",
  ],
  [
    ["host", "x"],
    'The header "host" may not be set: it is set by the transport itself.',
    "Remove it from `headers`.",
  ],
  [
    ["mcp-x", "x"],
    'The header "mcp-x" may not be set: it belongs to the MCP protocol.',
    "Remove it from `headers`.",
  ],
  [
    ["forwarded", "x"],
    'The header "forwarded" may not be set: it tells who a request is forwarded for.',
    "Remove it from `headers`.",
  ],
  [
    ["cookie", "x"],
    'The header "cookie" may not be set: it carries cookies.',
    "Remove it from `headers`.",
  ],
  [
    ["cf-x", "x"],
    'The header "cf-x" may not be set: it belongs to the platform.',
    "Remove it from `headers`.",
  ],
  [
    ["x", "a\nb"],
    "The value of the header x holds a character that is not visible ASCII, space or tab.",
    "Look for a line break at the end of the value or of the secret that it refers to; encode other text.",
  ],
  [
    ["x", "a".repeat(8193)],
    "The value of the header x has 8193 characters.",
    "Use one of at most 8192.",
  ],
];
const destinations: readonly Row<string>[] = [
  [
    "no url",
    "The destination is no absolute URL.",
    "Write one place in full, as in `https://mcp.example.com/mcp`: exact host, a path prefix, nothing else.",
  ],
  [
    "https://*.example.com/",
    "The destination holds a wildcard, a query or a reference.",
    "Write one place in full, as in `https://mcp.example.com/mcp`: exact host, a path prefix, nothing else.",
  ],
  [
    "https://10.0.0.1/a",
    "The destination cannot be contacted. The host 10.0.0.1 is no public address.",
    "Use the server's public host name.",
  ],
  [
    "https://A.example.com/a",
    "The destination is not in its normal form.",
    "Write `https://a.example.com/a`.",
  ],
];
const hosts: readonly Row<string>[] = [
  [
    "A.example.com",
    '"A.example.com" is no host that can be listed.',
    "Write one public host name in lower case, as in `mcp.example.com` or `mcp.example.com:8443`.",
  ],
  ["10.0.0.1", '"10.0.0.1" is no host that can be listed.', "Use the server's public host name."],
  ["0x7f.1", '"0x7f.1" is no host that can be listed.', "Use the server's public host name."],
];
const packages: readonly Row<string>[] = [
  [
    "gem:foo",
    '"gem:…" is no entry of a package list.',
    "Write `npm:name`, `npm:@scope/*`, `pypi:name`, `docker:registry/owner/name` or `docker:registry/owner/*`, with an exact version or digest where only that one is meant.",
  ],
];
const approvals: readonly Row<Partial<LaunchFields>>[] = [
  [
    { command: undefined },
    "The server has no command.",
    "Remote servers are listed under `send_to`.",
  ],
  [
    { env_file: ".env" },
    "The launch takes an env file.",
    "Write its variables into `env`, secrets as `${NAME}`.",
  ],
  [
    { args: ["-y", "a@1.0.0", "${X}"] },
    "The arguments hold a reference.",
    "Pass the value through `env`: arguments show in process lists.",
  ],
  [
    { args: ["-y", "a"] },
    "The launch of a names no version.",
    "Write an exact version, as in `a@1.2.3`; `npm view a version` tells it.",
  ],
  [
    { command: "uvx", args: ["a@latest"] },
    "The launch of a names latest, which moves.",
    "Write an exact version, as in `a==1.2.3`; the package's page on the index tells it.",
  ],
  [
    { command: "docker", args: ["run", "-i", "acme/a:1"] },
    "The launch of acme/a names 1, which moves.",
    "Write the digest, as in `acme/a@sha256:…`; `docker buildx imagetools inspect acme/a:1` tells it.",
  ],
];

function textsOf(check: Check<unknown>): readonly string[] {
  return check.ok ? [] : [check.message, check.hint];
}

describe("a refusal tells what is wrong and what to do", () => {
  it.each(launches)("for the launch of row %#", ([command, args], message, hint) => {
    expect(textsOf(parseLaunch(command, args))).toEqual([message, hint]);
  });

  it.each(urls)("for the URL of row %#", ([text, development], message, hint) => {
    const rules = { schemes: ["https"], development, ownHosts: ["own.example.com"] } as const;
    const [first] = urlRefusals(text, rules);
    expect([first?.message, first?.hint]).toEqual([message, hint]);
  });

  it.each(headers)("for the header of row %#", ([name, value], message, hint) => {
    expect(textsOf(checkHeader(name, value))).toEqual([message, hint]);
  });

  it.each(destinations)("for the destination %j", (text, message, hint) => {
    expect(textsOf(parseDestination(text, { development: false }))).toEqual([message, hint]);
  });

  it.each(hosts)("for the listed host %j", (text, message, hint) => {
    expect(textsOf(parseListedHost(text, { development: false }))).toEqual([message, hint]);
  });

  it.each(packages)("for the listed package %j", (text, message, hint) => {
    expect(textsOf(parsePackagePattern(text))).toEqual([message, hint]);
  });

  it.each(approvals)("for the approval of %j", (fields, message, hint) => {
    const launch: LaunchFields = {
      command: "npx",
      args: ["-y", "a@1.0.0"],
      env: {},
      env_file: undefined,
      config: undefined,
      encoding: "utf-8",
    };
    expect(textsOf(canonicalLaunch({ ...launch, ...fields }))).toEqual([message, hint]);
  });

  it.each(["file:///etc/passwd", "data:text/plain,x"])("by its scheme alone for %s", (url) => {
    const rules = { schemes: ["https"], development: false } as const;
    expect(urlRefusals(url, rules).map(({ reason }) => reason)).toEqual(["url-scheme"]);
  });

  it("for a host and a package that the tenant does not list", () => {
    const url = new URL("https://a.example.com:8443/x");
    expect(textsOf(checkSubmittedUrl(url, { hosts: [] }))).toEqual([
      "The host a.example.com:8443 is not one that submitted configs may name.",
      "Ask the operator to add `a.example.com:8443` to the tenant's policy.hosts, or to configure the server.",
    ]);
    const launch = parseLaunch("npx", ["a@1.0.0"]);
    if (!launch.ok) throw new TypeError(launch.message);
    const rules = { packages: [], pinning: "warn", approved: false } as const;
    expect(textsOf(checkSubmittedLaunch(launch.value, rules))).toEqual([
      "The package npm:a is not one that submitted configs may start.",
      "Ask the operator to add `npm:a` to the tenant's policy.packages, or to approve the whole launch.",
    ]);
  });

  it.each([
    ["LD_PRELOAD", "steers the dynamic loader or the C library"],
    ["NODE_OPTIONS", "steers Node.js"],
    ["npm_config_x", "steers a JavaScript package manager or runtime"],
    ["PYTHONPATH", "steers Python or a Python package manager"],
    ["BASH_ENV", "steers shells"],
    ["ENV", "steers shells"],
    ["PATH", "decides where programs and files are found"],
    ["PERL5LIB", "steers another interpreter"],
    ["GIT_SSH", "steers Git or SSH"],
    ["SSL_CERT_FILE", "decides which certificates are trusted"],
    ["HTTP_PROXY", "sends the server's traffic through another machine"],
    ["DOCKER_HOST", "steers Docker or Kubernetes"],
    ["AWS_PROFILE", "steers a cloud provider's tools"],
    ["GOOGLE_APPLICATION_CREDENTIALS", "steers a cloud provider's tools"],
    ["CF_X", "steers a cloud provider's tools"],
    ["GW_X", "belongs to Gangway"],
    ["__proto__", "is no plain name in JavaScript"],
  ])("for the variable %s", (name, why) => {
    const [message] = textsOf(checkEnvName(name));
    expect(message).toBe(`The environment variable ${name} is reserved: it ${why}.`);
  });
});
