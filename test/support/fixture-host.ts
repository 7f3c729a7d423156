import {
  type NpmRegistry,
  type PublishedPackage,
  startNpmRegistry,
  stdioFixtures,
} from "./npm-registry.ts";
import { type StartedHost, startHost } from "./start-host.ts";

export interface FixtureHost extends StartedHost {
  /** Where it installs from. */
  readonly registry: NpmRegistry;
}

/**
 * Starts a registry that has the fixture package, or `packages`, and a host that installs from it;
 * `dispose` ends both.
 */
export async function startFixtureHost(
  environment: Readonly<Record<string, string>> = {},
  packages: readonly PublishedPackage[] = [stdioFixtures()],
): Promise<FixtureHost> {
  const registry = await startNpmRegistry(packages);
  const host = await startHost({
    environment: { GANGWAY_HOST_NPM_REGISTRY: registry.url, ...environment },
  });
  const dispose = async () => {
    await host.dispose();
    await registry.close();
  };
  return { ...host, registry, dispose };
}
