import { describe, expect, it } from "vitest";
import { readIsolationSettings } from "../../../../functions/host/isolation/isolation-settings.ts";

const read = (environment: Record<string, string> = {}, poolSize = 16) =>
  readIsolationSettings(environment, poolSize);

describe("the settings of isolation", () => {
  it("have defaults: ids that systems leave free, and the clouds' own metadata address", () => {
    expect(read()).toMatchObject({
      launchUids: { first: 30_001, last: 39_999 },
      installerUid: 30_000,
      metadata: { host: "169.254.169.254", port: 80 },
    });
  });

  it("take an address of either kind, or none", () => {
    const addressOf = (text: string) => read({ GANGWAY_HOST_METADATA_ADDRESS: text }).metadata;
    expect(addressOf("[fd00:ec2::254]:80")).toEqual({ host: "fd00:ec2::254", port: 80 });
    expect(addressOf("none")).toBeNull();
  });

  it.each([
    ["GANGWAY_HOST_LAUNCH_UIDS", "1000"],
    ["GANGWAY_HOST_LAUNCH_UIDS", "0-5000"],
    ["GANGWAY_HOST_LAUNCH_UIDS", "5000-4000"],
    ["GANGWAY_HOST_LAUNCH_UIDS", "1000-2000000001"],
    ["GANGWAY_HOST_LAUNCH_UIDS", "1000-1022"],
    ["GANGWAY_HOST_INSTALLER_UID", "30001"],
    ["GANGWAY_HOST_INSTALLER_UID", "0"],
    ["GANGWAY_HOST_LAUNCH_PROCESSES", "1"],
    ["GANGWAY_HOST_METADATA_ADDRESS", "metadata.internal:80"],
    ["GANGWAY_HOST_METADATA_ADDRESS", "169.254.169.254"],
    ["GANGWAY_HOST_METADATA_ADDRESS", "169.254.169.254:0"],
  ])("refuse %s=%s in one line that names it and the remedy", (name, value) => {
    expect(() => read({ [name]: value })).toThrow(
      expect.objectContaining({
        name: "SettingsError",
        message: expect.stringMatching(new RegExp(`^[^\\n]*${name}[^\\n]*(set|unset)[^\\n]*$`)),
      }),
    );
  });

  it("ask for an id for every process of the pool, and some for those that are ending", () => {
    const uids = { GANGWAY_HOST_LAUNCH_UIDS: "1000-1023" };
    expect(read(uids, 16).launchUids).toEqual({ first: 1000, last: 1023 });
    expect(() => read(uids, 17)).toThrow(/holds 24 ids and GANGWAY_HOST_MAX_PROCESSES asks for 25/);
  });
});
