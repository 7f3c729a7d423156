import { describe, expect, it } from "vitest";
import {
  entryName,
  entryText,
  plainTerms,
  publishedBefore,
  termsOf,
} from "../../../../../functions/host/launch/npm/package-spec.ts";

const spec = (name: string, version: string | null, terms = plainTerms) => ({
  name,
  version,
  terms,
});

describe("entryName", () => {
  it("is one path segment, and differs for whatever was installed otherwise", () => {
    const names = [
      spec("@a/b", "1.0.0"),
      spec("@a/b", "1.0.0+scripts"),
      spec("@a/b", "1.0.0", { ...plainTerms, allowScripts: true }),
      spec("@a/b", "1.0.0", { ...plainTerms, minReleaseAgeMs: 1000 }),
      spec("@a/b", "1.0.0", { allowScripts: true, minReleaseAgeMs: 1000 }),
      spec("@a/b", null),
    ].map(entryName);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.includes("/"))).toEqual([]);
    expect(names.filter((name) => name.includes("%"))).toEqual([]);
    expect(names.map(entryText)).toEqual([
      "@a/b@1.0.0",
      "@a/b@1.0.0+scripts",
      "@a/b@1.0.0+scripts",
      "@a/b@1.0.0+age-1000",
      "@a/b@1.0.0+scripts+age-1000",
      "@a/b@latest",
    ]);
  });
});

describe("termsOf", () => {
  it("lets no scripts run and takes versions of any age unless the run says so", () => {
    expect(termsOf(undefined)).toEqual(plainTerms);
    expect(termsOf({})).toEqual(plainTerms);
    expect(termsOf({ allow_scripts: true, min_release_age_ms: 5 })).toEqual({
      allowScripts: true,
      minReleaseAgeMs: 5,
    });
  });
});

describe("publishedBefore", () => {
  it("is that long before now", () => {
    expect(publishedBefore({ ...plainTerms, minReleaseAgeMs: 1000 }, 5000)).toEqual(new Date(4000));
    expect(publishedBefore(plainTerms, 5000)).toBeNull();
    const minReleaseAgeMs = Number.MAX_SAFE_INTEGER;
    expect(publishedBefore({ ...plainTerms, minReleaseAgeMs }, 5000)).toEqual(new Date(0));
  });
});
