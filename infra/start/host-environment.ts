import { isAbsolute } from "node:path";
import type { JWK } from "jose";
import { inherited } from "./inherited-environment.ts";
import { npmNetwork } from "./npm-network.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** What `npm start` itself decides about its host. */
export interface HostRun {
  readonly port: number;
  readonly dataFolder: string;
  readonly publicKey: JWK;
}

/**
 * The host's environment: what programs need, how npm and docker were told to reach the network,
 * and the host's own settings of this environment, as far as `npm start` does not decide them.
 */
export function hostEnvironment(environment: Variables, run: HostRun): Record<string, string> {
  return {
    ...inherited(environment),
    ...npmNetwork(environment),
    ...npmRegistry(environment),
    ...dockerEngine(environment),
    ...hostSettings(environment),
    GANGWAY_HOST_ADDRESS: "127.0.0.1",
    GANGWAY_HOST_PORT: String(run.port),
    GANGWAY_HOST_DATA_DIR: run.dataFolder,
    GANGWAY_HOST_TICKET_KEY: JSON.stringify(run.publicKey),
    GANGWAY_HOST_DEVELOPMENT: "true",
  };
}

function npmRegistry({ npm_config_registry: registry }: Variables): Record<string, string> {
  return registry ? { GANGWAY_HOST_NPM_REGISTRY: registry } : {};
}

/** The engine that the docker command uses, where the host can: not one behind ssh. */
function dockerEngine(environment: Variables): Record<string, string> {
  const { DOCKER_HOST: engine, DOCKER_CERT_PATH: certificates } = environment;
  if (!engine || !/^unix:\/\/\/[^\s]+$|^tcp:\/\/[^\s/@]+:\d+$/.test(engine)) return {};
  const tls = environment["DOCKER_TLS_VERIFY"] && certificates && isAbsolute(certificates);
  return {
    GANGWAY_HOST_DOCKER_ENGINE: engine,
    ...(tls ? { GANGWAY_HOST_DOCKER_CERTIFICATES: certificates } : {}),
  };
}

function hostSettings(environment: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      name.startsWith("GANGWAY_HOST_") && value ? [[name, value]] : [],
    ),
  );
}
