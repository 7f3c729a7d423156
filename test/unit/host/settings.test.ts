import { describe, expect, it } from "vitest";
import { memoryBytes, processesFor } from "../../../functions/host/memory.ts";
import { readSettings } from "../../../functions/host/settings.ts";

const key = { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" };
const good = {
  GANGWAY_HOST_TICKET_KEY: JSON.stringify(key),
  GANGWAY_HOST_NPM_CLI: process.execPath,
};

describe("readSettings", () => {
  it("needs the ticket key alone, and listens on loopback by default", () => {
    expect(readSettings(good)).toMatchObject({
      bindAddress: "127.0.0.1",
      ticketKey: key,
      npm: { registry: null, cli: process.execPath },
      development: false,
    });
  });

  it("lets as many processes run as fit into the memory, unless a number is set", () => {
    expect(readSettings(good).maxProcesses).toBe(processesFor(memoryBytes()));
    const set = { ...good, GANGWAY_HOST_MAX_PROCESSES: "7" };
    expect(readSettings(set).maxProcesses).toBe(7);
  });

  it("serves metrics where a port is set, on loopback unless an address is", () => {
    expect(readSettings(good).metrics).toBeNull();
    const port = { ...good, GANGWAY_HOST_METRICS_PORT: "9090" };
    expect(readSettings(port).metrics).toEqual({ address: "127.0.0.1", port: 9090 });
    const both = { ...port, GANGWAY_HOST_METRICS_ADDRESS: "10.0.0.7" };
    expect(readSettings(both).metrics).toEqual({ address: "10.0.0.7", port: 9090 });
  });

  it("takes nothing else of the environment to the installer than proxies and certificates", () => {
    const { npm } = readSettings({
      ...good,
      HTTPS_PROXY: "http://proxy",
      AWS_SECRET_ACCESS_KEY: "s",
      NPM_TOKEN: "t",
    });
    expect(npm.environment).toEqual({ HTTPS_PROXY: "http://proxy" });
  });

  it.each([
    ["GANGWAY_HOST_TICKET_KEY", ""],
    ["GANGWAY_HOST_TICKET_KEY", "hunter2"],
    ["GANGWAY_HOST_TICKET_KEY", JSON.stringify({ ...key, crv: "P-256" })],
    ["GANGWAY_HOST_TICKET_KEY", JSON.stringify({ ...key, d: "hunter2" })],
    ["GANGWAY_HOST_TICKET_KEY", JSON.stringify({ ...key, x: "aHVudGVyMg" })],
    ["GANGWAY_HOST_TICKET_KEY", JSON.stringify({ ...key, x: `${key.x}AAAA` })],
    ["GANGWAY_HOST_PORT", "65536"],
    ["GANGWAY_HOST_PORT", "80a"],
    ["GANGWAY_HOST_PORT", "-1"],
    ["GANGWAY_HOST_IDLE_MS", "1e3"],
    ["GANGWAY_HOST_MAX_PROCESSES", "0"],
    ["GANGWAY_HOST_METRICS_PORT", "off"],
    ["GANGWAY_HOST_NPM_REGISTRY", "ftp://registry.example"],
    ["GANGWAY_HOST_NPM_REGISTRY", "registry"],
    ["GANGWAY_HOST_NPM_CLI", "/no/such/file"],
    ["GANGWAY_HOST_DEVELOPMENT", "yes"],
    ["GANGWAY_HOST_LOG_LEVEL", "loud"],
  ])(
    "refuses %s=%j in one line that names it and the remedy, not the value of a key",
    (name, value) => {
      const read = () => readSettings({ ...good, [name]: value });
      expect(read).toThrow(
        expect.objectContaining({
          name: "SettingsError",
          message: expect.stringMatching(new RegExp(`^[^\\n]*${name}[^\\n]*(set|unset)[^\\n]*$`)),
        }),
      );
      expect(read).not.toThrow(/hunter2/);
    },
  );

  it("tells where npm is to be had when there is none", () => {
    expect(() =>
      readSettings({ ...good, GANGWAY_HOST_NPM_CLI: "", PATH: "/no/such/folder" }),
    ).toThrow(/npm is not on PATH; install it, or set GANGWAY_HOST_NPM_CLI/);
  });
});
