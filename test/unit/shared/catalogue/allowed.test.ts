import { describe, expect, it } from "vitest";
import {
  promptAllowed,
  toolAllowed,
  type AllowFields,
} from "../../../../shared/catalogue/allowed.ts";

const open: AllowFields = { load_tools: true, load_prompts: true, disabled_tools: [] };

describe("toolAllowed", () => {
  it.each<[string, Partial<AllowFields>, keyof AllowFields | null]>([
    ["no list", {}, null],
    ["an allowed_tools that has it", { allowed_tools: ["b", "a"] }, null],
    ["an allowed_tools without it", { allowed_tools: ["b"] }, "allowed_tools"],
    ["an empty allowed_tools", { allowed_tools: [] }, "allowed_tools"],
    ["another spelling in allowed_tools", { allowed_tools: ["A"] }, "allowed_tools"],
    ["a prompt in allowed_tools", { allowed_tools: ["prompt:a"] }, "allowed_tools"],
    ["a disabled_tools that has it", { disabled_tools: ["a"] }, "disabled_tools"],
    ["both lists", { allowed_tools: ["a"], disabled_tools: ["a"] }, "disabled_tools"],
    ["a disabled prompt of its name", { disabled_tools: ["prompt:a"] }, null],
    ["load_tools off", { load_tools: false, allowed_tools: ["a"] }, "load_tools"],
    ["load_prompts off", { load_prompts: false }, null],
    ["a key's pattern that fits", { tools_of_key: ["b", "a*"] }, null],
    ["a key's patterns that do not fit", { tools_of_key: ["b*", "prompt:*"] }, "tools_of_key"],
    [
      "a key's pattern beside the lists",
      { disabled_tools: ["a"], tools_of_key: ["*"] },
      "disabled_tools",
    ],
  ])("decides on tool a by %s", (_, fields, field) => {
    expect(toolAllowed({ ...open, ...fields }, "a")).toEqual(
      field === null ? { ok: true } : { ok: false, field },
    );
  });
});

describe("promptAllowed", () => {
  it.each<[string, Partial<AllowFields>, keyof AllowFields | null]>([
    ["no list", {}, null],
    ["an allowed_tools that has it", { allowed_tools: ["prompt:a"] }, null],
    ["an allowed_tools of tools alone", { allowed_tools: ["a"] }, "allowed_tools"],
    ["a disabled_tools that has it", { disabled_tools: ["prompt:a"] }, "disabled_tools"],
    ["a disabled tool of its name", { disabled_tools: ["a"] }, null],
    ["load_prompts off", { load_prompts: false, allowed_tools: ["prompt:a"] }, "load_prompts"],
    ["load_tools off", { load_tools: false }, null],
    ["a key's pattern that fits", { tools_of_key: ["prompt:*"] }, null],
    ["a key's pattern of tools", { tools_of_key: ["a"] }, "tools_of_key"],
  ])("decides on prompt a by %s", (_, fields, field) => {
    expect(promptAllowed({ ...open, ...fields }, "a")).toEqual(
      field === null ? { ok: true } : { ok: false, field },
    );
  });
});
