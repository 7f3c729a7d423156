import { describe, expect, it } from "vitest";
import { routeTable } from "../../../functions/edge/routes/table.ts";
import { readSettings } from "../../../functions/host/settings.ts";
import { matches, writtenPages } from "../../support/docs.ts";
import { sourceFiles } from "../../support/source-files.ts";

const all = writtenPages.map(({ text }) => text).join("\n");

describe("routes in the documentation", () => {
  const edge = routeTable(async () => {
    throw new TypeError("the table is read without a request");
  }).map(({ method, path }) => `${method} ${path}`);
  const [hostApp] = sourceFiles("functions/host/http/app.ts");
  const host = [...(hostApp?.text ?? "").matchAll(/"((?:GET|POST|DELETE) \/[\w/:]+)":/g)].map(
    ([, route = ""]) => route,
  );
  const known = [...edge, ...host, "GET /openapi.json", "GET /metrics"].map((route) =>
    route.replaceAll(/:(\w+)/g, "{$1}"),
  );
  const knownPaths = new Set(known.map((route) => route.replace(/^\w+ /, "")));

  it("are seen in the sources", () => {
    expect(edge.length).toBeGreaterThan(10);
    expect(host.toSorted()).toEqual(["DELETE /v1/runs/:id", "GET /health", "POST /v1/run"]);
  });

  it("exist, with their method", () => {
    const named = matches(all, /\b((?:GET|POST|DELETE) \/[\w./{}-]+)/g);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((route) => !known.includes(route))).toEqual([]);
  });

  it("exist where they stand without one", () => {
    const paths = matches(all, /(?:`|:\d+)(\/(?:v1|schema|health|ready|openapi)[\w./{}-]*)/g);
    expect(paths.length).toBeGreaterThan(10);
    // What the design has and the product has not is said to be absent in one place.
    const absent = new Set(["/v1/messages", "/v1/registry"]);
    expect(paths.filter((path) => !knownPaths.has(path) && !absent.has(path))).toEqual([]);
  });

  it("are told of, every one", () => {
    const untold = [...knownPaths].filter((path) => !all.includes(path));
    expect(untold).toEqual([]);
  });
});

describe("variables in the documentation", () => {
  const pattern = /\b((?:GANGWAY|AWS)_[A-Z_]*[A-Z])\b/g;
  const settings = sourceFiles("functions/**/*settings.ts");
  const read = new Set(settings.flatMap(({ text }) => matches(text, pattern)));

  it("are read by a settings file, or by Compose", () => {
    const named = new Set(matches(all, pattern));
    const compose = new Set(
      sourceFiles("infra/compose.yaml").flatMap(({ text }) => matches(text, pattern)),
    );
    expect(named.size).toBeGreaterThan(40);
    expect([...named].filter((name) => !read.has(name) && !compose.has(name))).toEqual([]);
  });

  it("are all that the settings files read", () => {
    const guides = writtenPages.filter(({ path }) => path.startsWith("docs/guide/"));
    const told = new Set(guides.flatMap(({ text }) => matches(text, pattern)));
    expect([...read].filter((name) => !told.has(name))).toEqual([]);
  });

  /** The refusal of a wrong value tells what is right, and the default. */
  function refusalOf(name: string): string {
    try {
      readSettings({ ...good, [name]: "no such value" });
      return "";
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  }
  const good = {
    PATH: process.env["PATH"],
    GANGWAY_HOST_TICKET_KEY:
      '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}',
  };
  const ruled = [...read].flatMap((name) => {
    const [, from, to, byDefault] =
      /whole number from (\d+) to (\d+); .* default, (\d+)\.$/.exec(refusalOf(name)) ?? [];
    return byDefault === undefined ? [] : [{ name, range: `${from} to ${to}`, byDefault }];
  });

  it("are seen to have ranges and defaults", () => {
    expect(ruled.length).toBeGreaterThan(10);
  });

  it.each(ruled)("have the range and default of the code: $name", ({ name, range, byDefault }) => {
    const cells = all
      .split("\n")
      .map((line) => line.split("|").map((cell) => cell.trim()))
      .find(([, first]) => first === `\`${name}\``);
    expect(cells?.slice(2, 4)).toEqual([byDefault, range]);
  });
});
