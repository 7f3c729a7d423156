import { readFileSync } from "node:fs";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { neededCapabilities } from "../../../../functions/host/isolation/process-rights.ts";

const read = (path: string): unknown =>
  parse(readFileSync(new URL(`../../../../infra/kubernetes/${path}`, import.meta.url), "utf8"));

const containerSchema = z.looseObject({
  securityContext: z.looseObject({
    capabilities: z.looseObject({
      drop: z.array(z.string()),
      add: z.array(z.string()).default([]),
    }),
  }),
  resources: z.looseObject({ limits: z.record(z.string(), z.string()) }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});
const deployment = z
  .looseObject({
    spec: z.looseObject({
      replicas: z.number(),
      strategy: z.unknown(),
      template: z.looseObject({
        spec: z.looseObject({
          initContainers: z.array(containerSchema).length(1),
          containers: z.array(containerSchema).length(1),
          volumes: z.array(z.looseObject({ name: z.string(), emptyDir: z.unknown() })),
        }),
      }),
    }),
  })
  .parse(read("base/deployment.yaml")).spec;
const pod = deployment.template.spec;
const [host] = pod.containers;
const [first] = pod.initContainers;

describe("a tenant's host in Kubernetes", () => {
  it("is one pod, without a token, with the isolation's rights and no way to others", () => {
    expect(deployment).toMatchObject({ replicas: 1, strategy: { type: "Recreate" } });
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { seccompProfile: { type: "RuntimeDefault" } },
    });
    for (const key of ["hostNetwork", "hostPID", "hostIPC"]) expect(pod).not.toHaveProperty(key);
    for (const container of [host, first]) {
      expect(container?.securityContext).toMatchObject({
        runAsUser: 0,
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      expect(container?.securityContext).not.toHaveProperty("privileged");
      expect(Object.keys(container?.resources.limits ?? {})).toContain("memory");
    }
    expect(host?.securityContext.capabilities.add.toSorted()).toEqual([...neededCapabilities]);
    expect(first?.securityContext.capabilities.add).toEqual([]);
  });

  it("is probed, and has bounded folders that it makes its own first", () => {
    const health = { httpGet: { path: "/health", port: "runs" } };
    expect(host).toMatchObject({
      startupProbe: health,
      readinessProbe: health,
      livenessProbe: health,
      ports: [{ name: "runs", containerPort: 8788 }],
    });
    expect(pod.volumes.map(({ name }) => name)).toEqual(host?.volumeMounts.map(({ name }) => name));
    for (const { emptyDir } of pod.volumes) expect(emptyDir).toHaveProperty("sizeLimit");
    expect(first).toMatchObject({
      command: ["sh", "-c", "chmod 0711 /var/lib/gangway && chmod 1777 /tmp"],
      volumeMounts: host?.volumeMounts,
    });
  });

  it("comes from a base that lists every file, by way of a tenant's own folder", () => {
    const files = [
      "service-account.yaml",
      "deployment.yaml",
      "service.yaml",
      "network-policy.yaml",
    ];
    expect(read("base/kustomization.yaml")).toMatchObject({ resources: files });
    for (const file of files) expect(read(`base/${file}`)).toHaveProperty("kind");
    expect(read("tenants/example/kustomization.yaml")).toMatchObject({
      resources: ["../../base"],
      configMapGenerator: [{ name: "gangway-host" }],
    });
    expect(host).toMatchObject({ envFrom: [{ configMapRef: { name: "gangway-host" } }] });
  });
});

const blockSchema = z.object({ cidr: z.string(), except: z.array(z.string()) });
const policy = z
  .looseObject({
    spec: z.looseObject({
      podSelector: z.unknown(),
      policyTypes: z.array(z.string()),
      ingress: z.array(z.unknown()),
      egress: z.array(
        z.looseObject({
          to: z.array(z.looseObject({ ipBlock: blockSchema.optional() })),
          ports: z.array(z.object({ protocol: z.string(), port: z.number() })).optional(),
        }),
      ),
    }),
  })
  .parse(read("base/network-policy.yaml")).spec;

function isIn(address: string, cidr: string): boolean {
  const parsed = ipaddr.parse(address);
  const [range, bits] = ipaddr.parseCIDR(cidr);
  return parsed.kind() === range.kind() && parsed.match(range, bits);
}

/** Whether a pod under the policy may open a connection there, other than to the cluster's names. */
function isOpen(address: string): boolean {
  const blocks = policy.egress.flatMap(({ to }) => to.flatMap(({ ipBlock }) => ipBlock ?? []));
  return blocks.some(
    ({ cidr, except }) =>
      isIn(address, cidr) && !except.some((excluded) => isIn(address, excluded)),
  );
}

describe("the network policy of a host", () => {
  it("lets in what is labelled as the edge's way, to the port of runs alone", () => {
    expect(policy.policyTypes).toEqual(["Ingress", "Egress"]);
    expect(policy.podSelector).toEqual({
      matchLabels: { "app.kubernetes.io/name": "gangway-host" },
    });
    const from = [
      { namespaceSelector: { matchLabels: { "gangway.dev/way-of-the-edge": "true" } } },
    ];
    expect(policy.ingress).toEqual([{ from, ports: [{ protocol: "TCP", port: 8788 }] }]);
  });

  it("lets out to names and to public addresses", () => {
    const named = policy.egress.filter(({ to }) => to.some(({ ipBlock }) => ipBlock === undefined));
    expect(named.map(({ ports }) => ports?.map(({ port }) => port))).toEqual([[53, 53]]);
    for (const address of [
      "1.1.1.1",
      "104.16.0.1",
      "172.15.255.255",
      "172.32.0.0",
      "2606:4700::1111",
    ]) {
      expect([address, isOpen(address)]).toEqual([address, true]);
    }
  });

  it.each([
    [
      "cloud metadata",
      ["169.254.169.254", "169.254.170.2", "fd00:ec2::254", "100.100.100.200", "192.0.0.192"],
    ],
    [
      "private networks",
      ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fec0::1"],
    ],
    ["clusters and carriers", ["10.96.0.1", "100.64.0.1", "100.127.255.255", "fd12::1"]],
    ["this machine and this link", ["127.0.0.1", "0.0.0.0", "::1", "::", "fe80::1", "169.254.0.1"]],
    [
      "no single public machine",
      ["224.0.0.1", "255.255.255.255", "ff02::1", "198.18.0.1", "203.0.113.9", "2001:db8::1"],
    ],
    ["IPv4 in disguise", ["::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::1", "2001::1"]],
  ])("lets nothing out to %s", (_what, addresses) => {
    expect(addresses.filter(isOpen)).toEqual([]);
  });
});
