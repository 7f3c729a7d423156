import { accept, refuse, type Check, type Refusal } from "./check.ts";
import { classifyHost } from "./host-name.ts";
import type { LaunchReason } from "./reasons.ts";
import { shown } from "./shown.ts";

/** A container image as docker reads the same text. */
export interface ImageReference {
  /** Registry and path, without tag and digest. */
  readonly name: string;
  readonly tag: string | null;
  /** `sha256:` and 64 hex digits. Where it stands, docker takes no notice of the tag. */
  readonly digest: string | null;
}

export interface ImageRules {
  /** A registry on loopback may be named. */
  readonly development?: boolean;
}

const longestName = 255;
const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const digestPattern = /^sha256:[0-9a-f]{64}$/;
const componentPattern = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const registryPattern = /^([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?::[0-9]{1,5})?$/;
/** 64 hex digits alone are an image's id to docker, not a name. */
const idPattern = /^[0-9a-f]{64}$/;

/**
 * Reads `[registry[:port]/]path[:tag][@sha256:…]`.
 * @see https://github.com/distribution/reference for the grammar
 */
export function parseImage(
  text: string,
  rules: ImageRules = {},
): Check<ImageReference, LaunchReason> {
  // Longer texts cannot be images, and are refused by one of the parts.
  const [tagged = "", digest = null, ...more] = text.slice(0, 1024).split("@");
  const colon = tagged.indexOf(":", tagged.lastIndexOf("/") + 1);
  const name = colon === -1 ? tagged : tagged.slice(0, colon);
  const tag = colon === -1 ? null : tagged.slice(colon + 1);
  return (
    refuseUnfilled(text) ??
    refuseName(name, rules) ??
    refuseTag(tag) ??
    refuseDigest(more.length > 0 ? text : digest) ??
    accept({ name, tag, digest })
  );
}

/** Whether docker takes the part before the first `/` for a registry, and not for a user of its own. */
export function splitRegistry(name: string): {
  readonly registry: string | null;
  readonly path: string;
} {
  const slash = name.indexOf("/");
  const first = name.slice(0, slash);
  const isRegistry =
    slash !== -1 && (/[.:]/.test(first) || first === "localhost" || first !== first.toLowerCase());
  return isRegistry
    ? { registry: first, path: name.slice(slash + 1) }
    : { registry: null, path: name };
}

function refuseUnfilled(text: string): Refusal<LaunchReason> | null {
  if (text === "") return refuse("image-missing", "The image is empty.", imageHint);
  if (text.includes("${")) {
    return refuse(
      "spec-is-reference",
      "The image holds a reference.",
      "Write the image and its version out; references are for env values.",
    );
  }
  if (!/[{}<>$]|%[A-Z_]+%/.test(text)) return null;
  return refuse(
    "spec-is-placeholder",
    "The image still holds a template's placeholder.",
    "Fill in what the template left open.",
  );
}

function refuseName(name: string, rules: ImageRules): Refusal<LaunchReason> | null {
  const { registry, path } = splitRegistry(name);
  const isName =
    name.length <= longestName &&
    !idPattern.test(name) &&
    path.split("/").every((component) => componentPattern.test(component)) &&
    (registry === null || registryPattern.test(registry));
  if (!isName) return refuse("image-name-invalid", `${shown(name)} is no image's name.`, imageHint);
  return registry === null ? null : refuseRegistry(registry, rules);
}

function refuseRegistry(registry: string, rules: ImageRules): Refusal<LaunchReason> | null {
  const [hostname = ""] = registry.toLowerCase().split(":", 1);
  const host = classifyHost(hostname);
  if (host.kind === "name") return null;
  const isLoopback =
    host.kind === "loopback-name" || (host.kind === "address" && host.address === "loopback");
  if (isLoopback && rules.development === true) return null;
  return refuse(
    "image-registry-private",
    `The registry ${hostname} is no public host.`,
    "Push the image to a registry with a public name.",
  );
}

function refuseTag(tag: string | null): Refusal<LaunchReason> | null {
  if (tag === null || tagPattern.test(tag)) return null;
  return refuse(
    "image-tag-invalid",
    `${shown(tag)} is no image's tag.`,
    "Write a tag of letters, digits, `_`, `.` and `-`.",
  );
}

function refuseDigest(digest: string | null): Refusal<LaunchReason> | null {
  if (digest === null || digestPattern.test(digest)) return null;
  return refuse(
    "image-digest-invalid",
    "The image's digest is not `sha256:` and 64 hex digits.",
    "Copy the digest that `docker images --digests` shows.",
  );
}

const imageHint =
  "Write a published image, as in `ghcr.io/owner/name:1.2.3` or `name@sha256:…`, in lower case.";
