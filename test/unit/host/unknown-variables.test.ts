import { expect, it } from "vitest";
import { unknownVariables } from "../../../functions/host/unknown-variables.ts";
import { sourceFiles } from "../../support/source-files.ts";

it("names variables that are meant for the host and that it does not read", () => {
  const environment = {
    GANGWAY_HOST_METRIC_PORT: "9090",
    GANGWAY_HOST_COLOUR: "",
    GANGWAY_HOST_PORT: "8788",
    PATH: "/usr/bin",
  };
  expect(unknownVariables(environment)).toEqual([
    { variable: "GANGWAY_HOST_METRIC_PORT", nearest: "GANGWAY_HOST_METRICS_PORT" },
    { variable: "GANGWAY_HOST_COLOUR", nearest: null },
  ]);
});

it("knows every variable that a settings file reads", () => {
  const read = sourceFiles("functions/host/**/*settings.ts").flatMap(
    ({ text }) => text.match(/\bGANGWAY_HOST_[A-Z_]*[A-Z]\b/g) ?? [],
  );
  expect(new Set(read).size).toBeGreaterThan(30);
  expect(unknownVariables(Object.fromEntries(read.map((name) => [name, ""])))).toEqual([]);
});
