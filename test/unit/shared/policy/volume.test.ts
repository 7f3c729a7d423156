import { describe, expect, it } from "vitest";
import { parseMount, parseVolume } from "../../../../shared/policy/volume.ts";

const roots = ["/data", "/srv/files//"];
const shapes = "Write that form, with no option but whether it may be written to.";
const paths = "Write two absolute paths without `.`, `..` and special characters.";

describe("parseVolume", () => {
  it.each([
    ["/data:/x", { source: "/data", target: "/x", readOnly: false }],
    ["/data/a:/x:rw", { source: "/data/a", target: "/x", readOnly: false }],
    ["/data/a b/.c:/x/y:ro", { source: "/data/a b/.c", target: "/x/y", readOnly: true }],
    ["/srv/files/..a:/x...", { source: "/srv/files/..a", target: "/x...", readOnly: false }],
    ["/srv/files:/x", { source: "/srv/files", target: "/x", readOnly: false }],
    ["/data/a.sock.d:/x", { source: "/data/a.sock.d", target: "/x", readOnly: false }],
    [
      "/data/x:/run/docker.sock",
      { source: "/data/x", target: "/run/docker.sock", readOnly: false },
    ],
  ])("reads %s", (text, value) => {
    expect(parseVolume(text, roots)).toEqual({ ok: true, value });
  });

  it.each([
    "/data:/x:",
    "/data:/x:Ro",
    "/data:/x:ro ",
    "/data:/x:xro",
    "/data:/x:rox",
    "/data:/x:ro:",
  ])("refuses %j, which is of another form", (text) => {
    expect(parseVolume(text, roots)).toMatchObject({
      reason: "volume-invalid",
      message: expect.stringContaining("not of the form /source:/target[:ro]."),
      hint: shapes,
    });
  });

  it.each([
    "",
    "/data",
    "/data/..:/x",
    "/data/.:/x",
    "/data/x:/y/..",
    "/data/x:.",
    "/data/x:",
    "x:/y",
    "/data/é:/x",
  ])("refuses %j, whose paths are not plain", (text) => {
    expect(parseVolume(text, roots)).toMatchObject({
      reason: "volume-invalid",
      message: expect.stringContaining("does not name two folders by their plain paths."),
      hint: paths,
    });
  });

  it("quotes what it refuses, cut at the first colon", () => {
    expect(parseVolume("relative:/x", roots)).toMatchObject({
      message: 'The volume "relative:…" does not name two folders by their plain paths.',
    });
    expect(parseVolume("/data:/x:z", roots)).toMatchObject({
      message: 'The volume "/data:…" is not of the form /source:/target[:ro].',
    });
  });

  it.each(["/data/docker.sock:/s", "/data/.SOCK:/s", "/run/x.sock:/s:ro"])(
    "refuses %s, a socket, wherever it is",
    (text) => {
      expect(parseVolume(text, roots)).toEqual({
        ok: false,
        reason: "volume-is-socket",
        message: "The volume hands a socket of the host to the container.",
        hint: "Remove it: a container that reaches the engine's socket owns the host.",
      });
    },
  );

  it("tells which folders are allowed", () => {
    expect(parseVolume("/etc:/x", [])).toEqual({
      ok: false,
      reason: "volume-outside-roots",
      message: `The volume's folder "/etc" is not in a folder that the policy allows.`,
      hint: "Remove the volume, or ask the operator to allow the folder (now allowed: none are set).",
    });
    expect(parseVolume("/database:/x", ["/data", "/srv"])).toMatchObject({
      hint: "Remove the volume, or ask the operator to allow the folder (now allowed: /data, /srv).",
    });
  });

  it.each(["data", "", "/", "./data"])("takes %j for no root of anything", (root) => {
    expect(parseVolume("/data/x:/x", [root])).toMatchObject({ reason: "volume-outside-roots" });
  });
});

describe("parseMount", () => {
  it.each([
    ["type=bind,src=/data/a,dst=/x", false],
    ["type=bind,source=/data/a,target=/x", false],
    ["dst=/x,type=bind,source=/data/a", false],
    ["type=bind,source=/data/a,destination=/x,readonly", true],
    ["type=bind,source=/data/a,destination=/x,ro", true],
    ["type=bind,source=/data/a,readonly=true,destination=/x", true],
    ["type=bind,source=/data/a,destination=/x,ro=false", false],
  ])("reads %s", (text, readOnly) => {
    expect(parseMount(text, roots)).toEqual({
      ok: true,
      value: { source: "/data/a", target: "/x", readOnly },
    });
  });

  it.each([
    "",
    "src=/data/a,dst=/x",
    "type=volume,src=/data/a,dst=/x",
    "type=tmpfs,dst=/x",
    "type=npipe,src=/data/a,dst=/x",
    "type=bind,type=volume,src=/data/a,dst=/x",
    "type=bind,src=/data/a,source=/etc,dst=/x",
    "type=bind,src=/data/a,dst=/x,target=/y",
    "type=bind,src=/data/a,dst=/x,ro,readonly=false",
    "type=bind,src=/data/a,dst=/x,bind-propagation=rshared",
    "type=bind,src=/data/a,dst=/x,bind-recursive=enabled",
    "type=bind,src=/data/a,dst=/x,volume-opt=type=nfs",
    "type=bind,src=/data/a,dst=/x,readonly=",
    "type=bind,src=/data/a,dst=/x,readonly=1",
    "type=bind,src=/data/a,dst=/x,",
    "type=bind, src=/data/a,dst=/x",
    "Type=bind,src=/data/a,dst=/x",
    "type=bind=,src=/data/a,dst=/x",
    "type,src=/data/a,dst=/x",
  ])("refuses %j, which is of another form", (text) => {
    expect(parseMount(text, roots)).toMatchObject({
      reason: "volume-invalid",
      message: expect.stringContaining(
        "is not of the form type=bind,source=/source,target=/target[,readonly].",
      ),
      hint: shapes,
    });
  });

  it.each([
    "type=bind",
    "type=bind,src=/data/a",
    "type=bind,dst=/x",
    "type=bind,src,dst=/x",
    "type=bind,src=,dst=/x",
    "type=bind,src=/data/a=b,dst=/x",
    "type=bind,src=/data/../etc,dst=/x",
    'type=bind,"src=/data/a",dst=/x',
    "type=bind,src=/data/a:/etc,dst=/x",
    "type=bind,src=/data/a,dst=/x:ro",
    "type=bind,src=C:/data,dst=/x",
    "type=bind,src=${HOME},dst=/x",
  ])("refuses %j", (text) => {
    expect(parseMount(text, roots)).toMatchObject({ ok: false, reason: "volume-invalid" });
  });

  it("holds its source to the roots, and takes no socket", () => {
    expect(parseMount("type=bind,src=/etc,dst=/x", roots)).toMatchObject({
      reason: "volume-outside-roots",
    });
    expect(parseMount("type=bind,src=/data/d.sock,dst=/x", roots)).toMatchObject({
      reason: "volume-is-socket",
    });
  });
});
