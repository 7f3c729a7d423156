import { describe, expect, it } from "vitest";
import { parseOptions } from "../../../../infra/start/options.ts";

describe("the options of npm start", () => {
  it("have defaults", () => {
    expect(parseOptions([], "/home/me")).toEqual({
      port: 8787,
      hostPort: null,
      deployment: null,
      config: null,
      state: null,
    });
  });

  it("resolve paths against the folder that the user is in", () => {
    const argv = [
      "--config",
      "agent.yaml",
      "--deployment=/etc/gangway.yaml",
      "--port",
      "9000",
      "--state=state",
    ];
    expect(parseOptions(argv, "/home/me")).toEqual({
      port: 9000,
      hostPort: null,
      deployment: "/etc/gangway.yaml",
      config: "/home/me/agent.yaml",
      state: "/home/me/state",
    });
  });

  it("leave the host's port open unless it is given", () => {
    expect(parseOptions(["--host-port", "9001"], "/")).toMatchObject({ hostPort: 9001 });
    expect(parseOptions(["--port", "8788"], "/")).toMatchObject({ port: 8788, hostPort: null });
  });

  it("ask for the help text", () => {
    expect(parseOptions(["--help"], "/")).toBeNull();
  });

  it.each([
    [["--port", "0"], "--port must be a port"],
    [["--port", "65536"], "--port must be a port"],
    [["--port", "80a"], "not '80a'"],
    [["--host-port", "-1"], "--host-port"],
    [["--port", "9000", "--host-port", "9000"], "are the same"],
    [["--prot", "9000"], "--prot"],
    [["agent.yaml"], "'agent.yaml': options stand after `--`, as in `npm start -- --config FILE`"],
    [["--config"], "--config"],
  ])("refuse %j in one line that names the trouble", (argv, part) => {
    expect(() => parseOptions(argv, "/")).toThrow(expect.objectContaining({ name: "StartError" }));
    expect(() => parseOptions(argv, "/")).toThrow(part);
  });
});
