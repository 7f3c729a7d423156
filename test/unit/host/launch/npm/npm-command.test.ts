import { describe, expect, it } from "vitest";
import {
  installArgv,
  npmEnvironment,
  npmFiles,
} from "../../../../../functions/host/launch/npm/npm-command.ts";

const none = { scripts: false, before: null };
const npm = {
  cli: "/npm-cli.js",
  registry: "https://registry.example",
  tagTtlMs: 1,
  maxInstallMs: 1,
  environment: { HTTPS_PROXY: "http://proxy" },
};

describe("npmEnvironment", () => {
  it("runs no script and takes code from the registry alone", () => {
    expect(npmEnvironment(npm, npmFiles("/data"), none)).toMatchObject({
      npm_config_ignore_scripts: "true",
      npm_config_allow_git: "none",
      npm_config_allow_remote: "none",
      npm_config_allow_file: "none",
      npm_config_allow_directory: "none",
      npm_config_script_shell: "/bin/sh",
      npm_config_registry: "https://registry.example",
      HTTPS_PROXY: "http://proxy",
    });
  });

  it("runs scripts, and leaves out what is too young, where the terms say so", () => {
    const before = new Date(1_700_000_000_000);
    expect(npmEnvironment(npm, npmFiles("/data"), { scripts: true, before })).toMatchObject({
      npm_config_ignore_scripts: "false",
      npm_config_before: "2023-11-14T22:13:20.000Z",
      npm_config_allow_git: "none",
    });
    expect(npmEnvironment(npm, npmFiles("/data"), none)).not.toHaveProperty("npm_config_before");
  });

  it("gives npm two different configuration files, since it refuses one for both", () => {
    const environment = npmEnvironment(npm, npmFiles("/data"), none);
    expect(environment["npm_config_userconfig"]).not.toBe(environment["npm_config_globalconfig"]);
  });

  it("leaves the registry to npm where none is set", () => {
    expect(npmEnvironment({ ...npm, registry: null }, npmFiles("/data"), none)).not.toHaveProperty(
      "npm_config_registry",
    );
  });
});

describe("installArgv", () => {
  it("puts the spec after the end of the options", () => {
    expect(installArgv("/npm-cli.js", "name@1.0.0").slice(-2)).toEqual(["--", "name@1.0.0"]);
  });
});
