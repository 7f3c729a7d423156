import { describe, expect, it } from "vitest";
import { readSettings } from "../../../../functions/host/settings.ts";
import { hostEnvironment } from "../../../../infra/start/host-environment.ts";
import { makeTicketKeys } from "../../../../infra/start/ticket-keys.ts";

const { publicKey } = await makeTicketKeys();
const run = { port: 8788, dataFolder: "/data", publicKey };
const of = (environment: Record<string, string>) => hostEnvironment(environment, run);
const pick = (environment: Record<string, string>, ...names: string[]) =>
  names.map((name) => of(environment)[name]);

describe("the environment of npm start's host", () => {
  it("holds what it needs, and neither secrets nor npm's own settings", () => {
    const told = of({ PATH: "/bin", GW_SECRET_A: "a-secret", npm_config_cache: "/c", OTHER: "1" });
    expect(Object.keys(told).toSorted()).toEqual([
      "GANGWAY_HOST_ADDRESS",
      "GANGWAY_HOST_DATA_DIR",
      "GANGWAY_HOST_DEVELOPMENT",
      "GANGWAY_HOST_PORT",
      "GANGWAY_HOST_TICKET_KEY",
      "PATH",
    ]);
  });

  it("tells npm's private CA and proxies under the names that the host knows", () => {
    const npm = {
      npm_config_cafile: "/etc/corp.pem",
      npm_config_https_proxy: "http://proxy.example:3128",
      npm_config_noproxy: "a.example, b.example\n\nc.example",
    };
    expect(of(npm)).toMatchObject({
      NODE_EXTRA_CA_CERTS: "/etc/corp.pem",
      HTTPS_PROXY: "http://proxy.example:3128",
      NO_PROXY: "a.example,b.example,c.example",
    });
    const { npm: settings } = readSettings({ PATH: process.env["PATH"], ...of(npm) });
    expect(settings.environment).toMatchObject({ NODE_EXTRA_CA_CERTS: "/etc/corp.pem" });
  });

  it("takes npm's one proxy for both", () => {
    const names = ["HTTP_PROXY", "HTTPS_PROXY"];
    const proxy = "http://proxy.example:3128";
    expect(pick({ npm_config_proxy: proxy }, ...names)).toEqual([proxy, proxy]);
  });

  it("leaves proxies that the environment itself names, and trusts whom npm trusts", () => {
    const own = { NODE_EXTRA_CA_CERTS: "/own.pem", https_proxy: "http://own.example:1" };
    const npm = { npm_config_cafile: "/npm.pem", npm_config_https_proxy: "http://npm.example:1" };
    const names = ["NODE_EXTRA_CA_CERTS", "https_proxy", "HTTPS_PROXY"];
    expect(pick(own, ...names)).toEqual(["/own.pem", "http://own.example:1", undefined]);
    expect(pick({ ...own, ...npm }, ...names)).toEqual([
      "/npm.pem",
      "http://own.example:1",
      undefined,
    ]);
  });

  it("hands on the host's settings, but for those that npm start decides", () => {
    const told = of({
      GANGWAY_HOST_UV: "/opt/uv",
      GANGWAY_HOST_NPM_REGISTRY: "https://own.example/",
      npm_config_registry: "https://npm.example/",
      GANGWAY_HOST_PORT: "1",
      GANGWAY_HOST_DEVELOPMENT: "false",
      SSL_CERT_FILE: "/etc/corp.pem",
    });
    expect(told).toMatchObject({
      GANGWAY_HOST_UV: "/opt/uv",
      GANGWAY_HOST_NPM_REGISTRY: "https://own.example/",
      GANGWAY_HOST_PORT: "8788",
      GANGWAY_HOST_DEVELOPMENT: "true",
      SSL_CERT_FILE: "/etc/corp.pem",
    });
  });

  it.each([
    ["unix:///run/user/1000/docker.sock", "unix:///run/user/1000/docker.sock"],
    ["tcp://10.0.0.1:2376", "tcp://10.0.0.1:2376"],
    ["tcp://10.0.0.1", undefined],
    ["ssh://me@10.0.0.1", undefined],
  ])("takes the docker command's engine %s where the host can use it", (engine, told) => {
    const environment = { DOCKER_HOST: engine, DOCKER_CERT_PATH: "/c", DOCKER_TLS_VERIFY: "1" };
    const [chosen, certificates] = pick(
      environment,
      "GANGWAY_HOST_DOCKER_ENGINE",
      "GANGWAY_HOST_DOCKER_CERTIFICATES",
    );
    expect([chosen, certificates]).toEqual([told, told === undefined ? undefined : "/c"]);
  });

  it("prefers the engine that the host's own variable names", () => {
    const environment = { DOCKER_HOST: "unix:///a", GANGWAY_HOST_DOCKER_ENGINE: "none" };
    expect(pick(environment, "GANGWAY_HOST_DOCKER_ENGINE")).toEqual(["none"]);
  });
});
