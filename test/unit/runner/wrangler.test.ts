import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";

const read = (path: string) =>
  parse(readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8"));
const runner = read("functions/runner/wrangler.toml");

describe("the runner's wrangler.toml", () => {
  it("gives the runner no address that anybody could call", () => {
    expect(runner).toMatchObject({ workers_dev: false, preview_urls: false });
    for (const key of ["route", "routes", "triggers", "services"]) {
      expect(runner).not.toHaveProperty(key);
    }
  });

  it("bounds its work and its containers, and logs", () => {
    expect(runner).toMatchObject({
      limits: { cpu_ms: expect.any(Number) },
      observability: { enabled: true },
      containers: [
        {
          class_name: "TenantHost",
          image: "../../infra/Dockerfile",
          image_build_context: "../..",
          max_instances: expect.any(Number),
        },
      ],
      durable_objects: { bindings: [{ name: "TENANT_HOSTS", class_name: "TenantHost" }] },
      migrations: [{ tag: "v1", new_sqlite_classes: ["TenantHost"] }],
    });
  });

  it("keeps a container's end from counting as work of its object", () => {
    expect(runner["compatibility_flags"]).toContain(
      "durable_object_io_tasks_do_not_prevent_eviction",
    );
  });

  it("has the name by which the edge's file binds it, once that is taken out of comments", () => {
    const text = readFileSync(new URL("../../../wrangler.toml", import.meta.url), "utf8");
    const bound = parse(
      text.replaceAll(/^# (?=\[\[services\]\]|binding = "GANGWAY_RUNNER"|service = )/gm, ""),
    );
    expect(bound["services"]).toEqual([{ binding: "GANGWAY_RUNNER", service: runner["name"] }]);
  });
});
