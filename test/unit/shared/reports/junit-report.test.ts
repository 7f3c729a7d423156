import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import { renderJunit } from "../../../../shared/reports/junit-report.ts";
import { file, finding, hostile, nowhere, options } from "./samples.ts";

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** A strict XML 1.0 parser; throws on anything not well-formed. */
function parse(xml: string): Element {
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element: Element = { name, attributes, children: [], text: "" };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on("closetag", () => open.pop());
  parser.write(xml).close();
  const [document] = root.children;
  if (document === undefined) throw new TypeError("no document");
  return document;
}

/** Elements and attributes that Jenkins' junit-10.xsd knows, required ones with `!`. */
const allowed: Readonly<Record<string, { attributes: string[]; children: string[] }>> = {
  testsuites: { attributes: ["name", "tests", "failures", "errors"], children: ["testsuite"] },
  testsuite: { attributes: ["name!", "tests!", "failures!", "errors!"], children: ["testcase"] },
  testcase: { attributes: ["name!", "classname"], children: ["failure", "system-out"] },
  failure: { attributes: ["type", "message"], children: [] },
  "system-out": { attributes: [], children: [] },
};

function breaches(element: Element): string[] {
  const rule = allowed[element.name];
  if (rule === undefined) return [`unknown element ${element.name}`];
  const names = new Set(rule.attributes.map((name) => name.replace("!", "")));
  const required = rule.attributes.filter((name) => name.endsWith("!"));
  return [
    ...Object.keys(element.attributes).filter((name) => !names.has(name)),
    ...required.filter((name) => element.attributes[name.slice(0, -1)] === undefined),
    ...element.children.filter(({ name }) => !rule.children.includes(name)).map(({ name }) => name),
    ...element.children.flatMap(breaches),
  ];
}

describe("renderJunit", () => {
  it("writes a suite a file and a case a finding; only errors fail", () => {
    const findings = [finding(), finding({ severity: "warning", ...nowhere, hint: "" })];
    expect(renderJunit([file({ findings }), file({ path: "ok.yaml" })], options)).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="gangway" tests="3" failures="1" errors="0">
  <testsuite name="mcp.yaml" tests="2" failures="1" errors="0">
    <testcase name="GW203 /mcp_servers/0/args/1" classname="mcp.yaml">
      <failure type="GW203" message="The package is not pinned">error GW203 in mcp.yaml:2:10: The package is not pinned
hint: Write the version.
docs: https://gangway.example/docs/reference/rules/GW203.md</failure>
    </testcase>
    <testcase name="GW203 /mcp_servers/0/args/1" classname="mcp.yaml">
      <system-out>warning GW203 in mcp.yaml: The package is not pinned
docs: https://gangway.example/docs/reference/rules/GW203.md</system-out>
    </testcase>
  </testsuite>
  <testsuite name="ok.yaml" tests="1" failures="0" errors="0">
    <testcase name="no findings" classname="ok.yaml"/>
  </testsuite>
</testsuites>
`,
    );
  });

  it("writes an empty document for no files", () => {
    expect(parse(renderJunit([], options)).attributes).toEqual({
      name: "gangway",
      tests: "0",
      failures: "0",
      errors: "0",
    });
  });

  it.each(hostile)("shows %j as text in well-formed XML of the known shape", (text) => {
    const changes = { message: text, hint: text, pointer: text, docs: text };
    const findings = [finding(changes), finding({ ...changes, severity: "info" })];
    const document = parse(renderJunit([file({ path: text, findings })], options));
    expect(breaches(document)).toEqual([]);
    expect(document.children[0]?.children).toHaveLength(2);
  });

  it("hands markup to the reader as it was written", () => {
    const message = `]]> <a href="x">'&amp;'</a>`;
    const document = parse(renderJunit([file({ findings: [finding({ message })] })], options));
    const failure = document.children[0]?.children[0]?.children[0];
    expect(failure?.attributes["message"]).toBe(message);
    expect(failure?.text).toContain(message);
  });
});
