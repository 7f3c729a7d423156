type Variables = Readonly<Record<string, string | undefined>>;

/**
 * How npm was told to reach its registry, in the variables that other programs know: a private CA
 * (`cafile`) and proxies. npm hands its settings, those of .npmrc files too, to what it runs.
 * Proxies that the environment names itself are left alone; of CAs npm takes `cafile` alone.
 */
export function npmNetwork(environment: Variables): Record<string, string> {
  const { npm_config_cafile: authority, npm_config_proxy: proxy } = environment;
  const proxies = [
    ["HTTP_PROXY", proxy],
    ["HTTPS_PROXY", environment["npm_config_https_proxy"] || proxy],
    [
      "NO_PROXY",
      environment["npm_config_noproxy"]
        ?.trim()
        .split(/[\s,]+/)
        .join(","),
    ],
  ] as const;
  return {
    ...(authority ? { NODE_EXTRA_CA_CERTS: authority } : {}),
    ...Object.fromEntries(
      proxies.flatMap(([name, value]) =>
        value && !isSet(environment, name) ? [[name, value] as const] : [],
      ),
    ),
  };
}

function isSet(environment: Variables, name: string): boolean {
  return Boolean(environment[name] || environment[name.toLowerCase()]);
}
