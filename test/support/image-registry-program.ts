// A registry of container images on port 5000 of the network namespace that it is started in. It
// serves one image of a folder's files, tells its parent of each request, and holds layers back
// while it is told to: `node image-registry-program.ts LAYER.tar CONFIG.json NAME TAG`.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

const [layerFile = "", configFile = "", name = "", tag = ""] = process.argv.slice(2);

const digestOf = (bytes: Buffer) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
const layer = readFileSync(layerFile);
const config = Buffer.from(
  JSON.stringify({
    ...JSON.parse(readFileSync(configFile, "utf8")),
    rootfs: { type: "layers", diff_ids: [digestOf(layer)] },
  }),
);
const manifest = Buffer.from(
  JSON.stringify({
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: {
      mediaType: "application/vnd.oci.image.config.v1+json",
      size: config.length,
      digest: digestOf(config),
    },
    layers: [
      {
        mediaType: "application/vnd.oci.image.layer.v1.tar",
        size: layer.length,
        digest: digestOf(layer),
      },
    ],
  }),
);
const answers = new Map([
  ["/v2/", { type: "application/json", body: Buffer.from("{}") }],
  ...[tag, digestOf(manifest)].map(
    (reference) =>
      [
        `/v2/${name}/manifests/${reference}`,
        { type: "application/vnd.oci.image.manifest.v1+json", body: manifest },
      ] as const,
  ),
  ...[config, layer].map(
    (body) =>
      [`/v2/${name}/blobs/${digestOf(body)}`, { type: "application/octet-stream", body }] as const,
  ),
]);

let held: Promise<void> = Promise.resolve();
let release: () => void = () => undefined;
process.on("message", (message) => {
  if (message === "release") return release();
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  release = resolve;
});
process.once("disconnect", () => process.exit(0));

const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  if (request.method === "GET") process.send?.({ request: pathname });
  const found = answers.get(pathname);
  if (found === undefined) return void response.writeHead(404).end("{}");
  if (found.body === layer) await held;
  response.writeHead(200, {
    "content-type": found.type,
    "content-length": found.body.length,
    "docker-content-digest": digestOf(found.body),
  });
  response.end(request.method === "HEAD" ? undefined : found.body);
}

server.listen(5000, "127.0.0.1", () => process.send?.({ ready: digestOf(manifest) }));
