import { describe, expect, it } from "vitest";
import { findRoute, type Routes } from "../../../../functions/host/http/find-route.ts";

const health = () => undefined;
const run = () => undefined;
const cancel = () => undefined;
const routes: Routes = {
  "GET /health": health,
  "POST /v1/run": run,
  "DELETE /v1/runs/:id": cancel,
};

describe("findRoute", () => {
  it.each([
    ["GET", "/health", health, ""],
    ["HEAD", "/health", health, ""],
    ["GET", "/health?now", health, ""],
    ["POST", "/v1/run", run, ""],
    ["DELETE", "/v1/runs/a-1", cancel, "a-1"],
    ["DELETE", "/v1/runs/a%2Fb", cancel, "a/b"],
    ["DELETE", "/v1/runs/%zz", cancel, "%zz"],
    ["DELETE", "/v1/runs/:id", cancel, ":id"],
  ])("finds %s %s", (method, url, handle, id) => {
    expect(findRoute(routes, { method, url })).toEqual({ handle, id });
  });

  it.each([
    ["GET", "/v1/run", "POST"],
    ["POST", "/health", "GET"],
    ["GET", "/v1/runs/1", "DELETE"],
    ["get", "/health", "GET"],
  ])("tells what the path of %s %s takes", (method, url, allow) => {
    expect(() => findRoute(routes, { method, url })).toThrow(
      expect.objectContaining({ code: "METHOD_NOT_ALLOWED", details: { allow } }),
    );
  });

  it.each([
    ["GET", "/"],
    ["GET", ""],
    ["POST", "/v1/runs"],
    ["DELETE", "/v1/runs/"],
    ["DELETE", "/v1/runs/a/b"],
    ["GET", "/health/"],
    ["GET", "http://elsewhere/health"],
  ])("knows no %s %s", (method, url) => {
    expect(() => findRoute(routes, { method, url })).toThrow(
      expect.objectContaining({ code: "ROUTE_NOT_FOUND" }),
    );
  });
});
