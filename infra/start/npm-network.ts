type Variables = Readonly<Record<string, string | undefined>>;

/**
 * How npm was told to reach its registry, in the variables that other programs know: a private CA
 * (`cafile`) and proxies. npm hands its settings, those of .npmrc files too, to what it runs. What
 * the environment says itself is left alone.
 */
export function npmNetwork(environment: Variables): Record<string, string> {
  const proxy = environment["npm_config_proxy"];
  const known = [
    ["NODE_EXTRA_CA_CERTS", environment["npm_config_cafile"]],
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
  return Object.fromEntries(
    known.flatMap(([name, value]) => (value && !isSet(environment, name) ? [[name, value]] : [])),
  );
}

function isSet(environment: Variables, name: string): boolean {
  return Boolean(environment[name] || environment[name.toLowerCase()]);
}
