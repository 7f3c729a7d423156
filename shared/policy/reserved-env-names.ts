interface ReservedEnvNames {
  /** What these names do; follows "it" in a message. */
  readonly why: string;
  /** Upper case; `*` at the end stands for any rest. */
  readonly names: readonly string[];
  /** Names of the same family that public servers use and nothing else reads. */
  readonly except?: readonly string[];
  /** The operator's policy may set single names free. */
  readonly optIn?: true;
}

/** The families of reserved names; a name is judged by the first one that has it. */
export const reservedEnvNames: readonly ReservedEnvNames[] = [
  {
    why: "steers the dynamic loader or the C library",
    names: words(`LD_* DYLD_* GCONV_PATH LOCPATH NLSPATH TZDIR MALLOC_* GLIBC_TUNABLES HOSTALIASES
      LOCALDOMAIN RES_OPTIONS RESOLV_*`),
  },
  {
    why: "steers Node.js",
    names:
      words(`NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED NODE_REPL_*
      NODE_V8_COVERAGE NODE_REDIRECT_WARNINGS NODE_ICU_DATA NODE_COMPILE_CACHE
      NODE_CHANNEL_FD NODE_UNIQUE_ID NODE_SERIALIZATION_MODE NODE_USE_ENV_PROXY
      NODE_USE_SYSTEM_CA ELECTRON_RUN_AS_NODE TS_NODE_* TSX_*`),
  },
  {
    why: "steers a JavaScript package manager or runtime",
    names: words(`NPM_* NPX_* YARN_* PNPM_* BUN_* DENO_* COREPACK_* NVM_* VOLTA_*`),
    except: words(`NPM_TOKEN`),
  },
  {
    why: "steers Python or a Python package manager",
    names: words(`PYTHON* PIP_* PIPX_* UV_* VIRTUAL_ENV* CONDA_* POETRY_* PYENV_* ASTRAL_*`),
    except: words(
      `PYTHONUNBUFFERED PYTHONIOENCODING PYTHONUTF8 PYTHONDONTWRITEBYTECODE PYTHONHASHSEED`,
    ),
  },
  {
    why: "steers shells",
    names: words(`BASH_* BASHOPTS SHELLOPTS SHELL PS4 PROMPT_COMMAND IFS CDPATH GLOBIGNORE ZDOTDIR
      FPATH`),
  },
  { why: "steers shells", names: words(`ENV`), optIn: true },
  {
    why: "decides where programs and files are found",
    names: words(`PATH PATHEXT HOME USERPROFILE TMPDIR TMP TEMP XDG_* PWD OLDPWD`),
  },
  {
    why: "steers another interpreter",
    names: words(`PERL5* PERLLIB PERL_* RUBY* GEM_* BUNDLE_* LUA_INIT* LUA_PATH* LUA_CPATH* PHPRC
      PHP_INI_SCAN_DIR R_PROFILE* R_ENVIRON* JAVA_TOOL_OPTIONS _JAVA_OPTIONS
      JDK_JAVA_OPTIONS JAVA_HOME CLASSPATH MAVEN_OPTS GRADLE_OPTS DOTNET_* CORECLR_* COR_*
      ERL_* OPENSSL_*`),
  },
  {
    why: "steers Git or SSH",
    names: words(`GIT_* SSH_*`),
    except: words(`SSH_HOST SSH_PORT SSH_USER SSH_USERNAME SSH_PASSWORD SSH_KEY SSH_PASSPHRASE`),
  },
  {
    why: "decides which certificates are trusted",
    names: words(`SSL_* SSLKEYLOGFILE REQUESTS_CA_BUNDLE CURL_CA_BUNDLE CURL_HOME NETRC WGETRC`),
    except: words(`SSL_MODE SSL_VERIFY`),
  },
  {
    why: "sends the server's traffic through another machine",
    names:
      words(`HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY FTP_PROXY SOCKS_PROXY RSYNC_PROXY WS_PROXY
      WSS_PROXY`),
    optIn: true,
  },
  {
    why: "steers Docker or Kubernetes",
    names: words(`DOCKER_* BUILDKIT_* BUILDX_* COMPOSE_* CONTAINER_HOST KUBECONFIG`),
  },
  {
    why: "steers a cloud provider's tools",
    names: words(`AWS_*`),
    except: words(`AWS_REGION AWS_DEFAULT_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
      AWS_SESSION_TOKEN AWS_DOCUMENTATION_PARTITION`),
    optIn: true,
  },
  {
    why: "steers a cloud provider's tools",
    names: words(`GOOGLE_APPLICATION_CREDENTIALS`),
    optIn: true,
  },
  {
    why: "steers a cloud provider's tools",
    names: words(`CF_* CLOUDFLARE_*`),
    except: words(`CLOUDFLARE_API_TOKEN CLOUDFLARE_ACCOUNT_ID`),
    optIn: true,
  },
  { why: "belongs to Gangway", names: words(`GANGWAY_* GW_*`) },
  { why: "is no plain name in JavaScript", names: words(`__PROTO__`) },
];

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}
