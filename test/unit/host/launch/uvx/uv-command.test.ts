import { describe, expect, it } from "vitest";
import {
  uvEnvironment,
  uvFolders,
  uvInstallArgv,
} from "../../../../../functions/host/launch/uvx/uv-command.ts";
import { pythonSpecText } from "../../../../../functions/host/launch/uvx/python-spec-text.ts";
import { readUvSettings } from "../../../../../functions/host/launch/uvx/uv-settings.ts";

const folders = uvFolders("/data/uvx", "/staging/uv-1");
const settings = { uv: "/opt/uv", index: null, build: false, environment: { HTTPS_PROXY: "p" } };

describe("uvInstallArgv", () => {
  it("installs one package as a tool, its spec behind the end of the options", () => {
    expect(uvInstallArgv("/opt/uv", "name==1.0")).toEqual([
      "/opt/uv",
      "tool",
      "install",
      "--",
      "name==1.0",
    ]);
  });
});

describe("uvEnvironment", () => {
  it("shuts out configuration, keyrings, other interpreters and code of packages", () => {
    expect(uvEnvironment(settings, folders, null)).toMatchObject({
      UV_NO_CONFIG: "1",
      UV_NO_SYSTEM_CONFIG: "1",
      UV_NO_ENV_FILE: "1",
      UV_NO_BUILD: "1",
      UV_KEYRING_PROVIDER: "disabled",
      UV_PYTHON_DOWNLOADS: "never",
      UV_CACHE_DIR: "/data/uvx/cache",
      UV_TOOL_DIR: "/staging/uv-1/tools",
      HTTPS_PROXY: "p",
    });
    expect(uvEnvironment(settings, folders, null)).not.toHaveProperty("UV_DEFAULT_INDEX");
  });

  it("names the operator's index, and builds where the operator says so", () => {
    const own = { ...settings, index: "https://pypi.example/simple", build: true };
    const environment = uvEnvironment(own, folders, null);
    expect(environment).toMatchObject({ UV_DEFAULT_INDEX: "https://pypi.example/simple" });
    expect(environment).not.toHaveProperty("UV_NO_BUILD");
  });
});

describe("pythonSpecText", () => {
  it.each([
    [{ package: "name", version: null }, "name"],
    [{ package: "name", version: "1.0" }, "name==1.0"],
    [{ package: "name", version: "latest" }, "name@latest"],
    [{ package: "name", version: "1.0", extras: ["a", "b"] }, "name[a,b]==1.0"],
    [{ package: "name", version: null, extras: [] }, "name"],
  ])("writes %j as %s", (launch, text) => {
    expect(pythonSpecText(launch)).toBe(text);
  });
});

describe("readUvSettings", () => {
  it("has neither uv nor an index of its own by default, and builds nothing", () => {
    expect(readUvSettings({ UV_INDEX: "x", PIP_INDEX_URL: "y", HTTP_PROXY: "p" })).toEqual({
      uv: null,
      index: null,
      build: false,
      environment: { HTTP_PROXY: "p" },
    });
  });

  it("refuses a path that is no program, and an index that is no URL", () => {
    expect(() => readUvSettings({ GANGWAY_HOST_UV: "uv" })).toThrow(/^GANGWAY_HOST_UV [^\n]+$/);
    expect(() => readUvSettings({ GANGWAY_HOST_UV_INDEX: "file:///x" })).toThrow(
      /^GANGWAY_HOST_UV_INDEX [^\n]+$/,
    );
  });
});
