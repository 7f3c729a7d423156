import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { madeOnce, ownApt, systemMirror, unpackAll } from "./debian-mirror.ts";

/** The first Debian release that has them; they are statically linked. */
const suite = "trixie";
const packages = ["docker-buildx", "docker-compose"];

/** A folder for DOCKER_CONFIG whose `cli-plugins` are buildx and compose; unpacked at the first call. */
export function dockerPlugins(): Promise<string> {
  return madeOnce(`docker-plugins-${suite}`, async (work) => {
    const { uri } = await systemMirror();
    const apt = await ownApt(work, { uri, suites: [suite] });
    await apt.get("download", ...packages);
    const root = join(work, "root");
    await unpackAll(apt.packages, root);
    const made = join(work, "made");
    await mkdir(made);
    await rename(join(root, "usr/libexec/docker/cli-plugins"), join(made, "cli-plugins"));
    return made;
  });
}
