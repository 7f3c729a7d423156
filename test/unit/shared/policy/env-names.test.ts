import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkEnvName } from "../../../../shared/policy/env-names.ts";
import { reservedEnvNames } from "../../../../shared/policy/reserved-env-names.ts";

const reserved =
  `NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED NODE_REPL_EXTERNAL_MODULE
  npm_config_call NPM_CONFIG_SCRIPT_SHELL npm_config_userconfig Npm_Config_Registry npm_package_x YARN_RC_FILENAME
  PNPM_HOME BUN_OPTIONS DENO_DIR COREPACK_ROOT LD_PRELOAD ld_preload Ld_Library_Path LD_AUDIT DYLD_INSERT_LIBRARIES
  GCONV_PATH MALLOC_PERTURB_ GLIBC_TUNABLES PYTHONPATH PYTHONSTARTUP PYTHONHOME pythonpath PIP_INDEX_URL
  PIP_CONFIG_FILE UV_INDEX UV_INDEX_URL UV_DEFAULT_INDEX UV_CONFIG_FILE UV_PYTHON UV_ENV_FILE UV_TOOL_DIR uv_index
  VIRTUAL_ENV CONDA_PREFIX BASH_ENV ENV SHELLOPTS PS4 PROMPT_COMMAND IFS PATH Path HOME TMPDIR SHELL PERL5LIB PERL5OPT
  RUBYOPT RUBYLIB GEM_HOME BUNDLE_PATH JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH GIT_SSH
  GIT_SSH_COMMAND GIT_CONFIG_GLOBAL SSH_AUTH_SOCK SSH_ASKPASS SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE
  CURL_CA_BUNDLE OPENSSL_CONF HTTP_PROXY http_proxy HTTPS_PROXY https_proxy ALL_PROXY NO_PROXY DOCKER_HOST
  DOCKER_CONFIG BUILDKIT_HOST KUBECONFIG AWS_CONFIG_FILE AWS_PROFILE AWS_ENDPOINT_URL GOOGLE_APPLICATION_CREDENTIALS
  XDG_CONFIG_HOME CF_API_TOKEN CLOUDFLARE_API_BASE_URL GANGWAY_REVOKED GW_SECRET_X SSLKEYLOGFILE HOSTALIASES
  NODE_COMPILE_CACHE __proto__ __PROTO__`.split(/\s+/);

const honest =
  `GITHUB_TOKEN GITHUB_PERSONAL_ACCESS_TOKEN API_KEY OPENAI_API_KEY DATABASE_URL NODE_ENV NODE_URL BROWSER HEADLESS
  MCP_MODE DEBUG LOG_LEVEL PORT DISPLAY AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
  AWS_DOCUMENTATION_PARTITION CLOUDFLARE_API_TOKEN CLOUDFLARE_ACCOUNT_ID SSH_HOST SSH_PASSWORD SSL_MODE
  PYTHONUNBUFFERED PYTHONIOENCODING NPM_TOKEN LANG TZ _private a A1 constructor envy PATHS LDAP_URL GITLAB_TOKEN
  DOCKERHUB_TOKEN UVICORN_PORT PIPELINE HOMEPAGE SHELLY_IP PROXY_URL`.split(/\s+/);

describe("checkEnvName", () => {
  it("takes a name of 256 characters", () => {
    expect(checkEnvName("a".repeat(256)).ok).toBe(true);
  });

  it.each(reserved)("refuses %s as reserved", (name) => {
    expect(checkEnvName(name)).toMatchObject({ ok: false, reason: "env-name-reserved" });
  });

  it.each(honest)("takes %s", (name) => {
    expect(checkEnvName(name)).toEqual({ ok: true, value: name });
  });

  it.each([
    "",
    "1A",
    "A-B",
    "A.B",
    "A B",
    " A",
    "A\n",
    "A=B",
    "A\0",
    "${A}",
    "É",
    "npm_config_@s:registry",
    "BASH_FUNC_x%%",
    "a".repeat(257),
  ])("refuses %j as no name", (name) => {
    expect(checkEnvName(name)).toMatchObject({ ok: false, reason: "env-name-invalid" });
  });

  it("judges a name alike in every case", () => {
    const letters = fc.constantFrom(...reserved, ...honest.filter((name) => !name.startsWith("_")));
    fc.assert(
      fc.property(letters, fc.infiniteStream(fc.boolean()), (name, coin) => {
        const flips = [...coin.take(name.length)];
        const mixed = Array.from(name).map((letter, index) =>
          flips[index] ? letter.toLowerCase() : letter.toUpperCase(),
        );
        expect(checkEnvName(mixed.join("")).ok).toBe(checkEnvName(name).ok);
      }),
    );
  });

  it.each([
    "AWS_PROFILE",
    "HTTPS_PROXY",
    "https_proxy",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "CF_API_TOKEN",
    "CLOUDFLARE_EMAIL",
    "ENV",
  ])("lets the operator's policy set %s free, by this very spelling", (name) => {
    expect(checkEnvName(name, { optIn: [name] })).toEqual({ ok: true, value: name });
    expect(checkEnvName(name, { optIn: [`${name}_X`, "AWS_*"] }).ok).toBe(false);
    expect(checkEnvName(name)).toMatchObject({
      hint: expect.stringContaining("ask the operator"),
    });
  });

  it.each(["LD_PRELOAD", "NODE_OPTIONS", "PATH", "npm_config_call", "DOCKER_HOST", "GANGWAY_X"])(
    "lets no policy set %s free",
    (name) => {
      expect(checkEnvName(name, { optIn: [name] })).toMatchObject({ reason: "env-name-reserved" });
    },
  );

  it("says what a reserved name does", () => {
    expect(checkEnvName("ld_preload")).toMatchObject({
      message:
        "The environment variable ld_preload is reserved: it steers the dynamic loader or the C library.",
    });
  });
});

describe("reservedEnvNames", () => {
  it.each(reservedEnvNames)("has upper-case patterns alone: it $why", ({ names, except = [] }) => {
    for (const name of names) expect(name).toMatch(/^[A-Z0-9_]+\*?$/);
    for (const name of except) expect(name).toMatch(/^[A-Z0-9_]+$/);
  });
});
