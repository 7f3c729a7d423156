import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setUpMoto, systemPython } from "./moto-setup.ts";

/** moto_server on a free port; ends with the process that holds its stdin. */
const program = `
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
from moto.server import main
main(["-H", "127.0.0.1", "-p", "0"])
`;
const readyWithinMs = 30_000;

export const motoRegion = "eu-west-1";

export interface MotoKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface StartedMoto {
  readonly url: string;
  /** A user who may do everything with secrets. */
  readonly admin: MotoKeys;
  /** A user who may only read single secrets. */
  readonly singleReader: MotoKeys;
  /** A user without any right. */
  readonly stranger: MotoKeys;
  readonly close: () => Promise<void>;
}

/** Starts a real AWS emulator whose checks of signatures and rights are on. */
export async function startMoto(): Promise<StartedMoto> {
  const child = spawn(systemPython, ["-c", program], {
    stdio: ["pipe", "ignore", "pipe"],
    env: { PYTHONPATH: await setUpMoto(), PYTHONUNBUFFERED: "1", AWS_DEFAULT_REGION: motoRegion },
  });
  const exited = once(child, "exit");
  const close = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  try {
    const url = await firstUrl(child.stderr, exited);
    const admin = await createUser(url, "admin", ["secretsmanager:*"]);
    const singleReader = await createUser(url, "reader", ["secretsmanager:GetSecretValue"]);
    const stranger = await createUser(url, "stranger", ["s3:ListBuckets"]);
    await expectOk(
      await fetch(`${url}/moto-api/reset-auth`, { method: "POST", body: new Blob(["0"]) }),
    );
    return { url, admin, singleReader, stranger, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function firstUrl(stderr: NodeJS.ReadableStream, exited: Promise<unknown>): Promise<string> {
  const lines = createInterface({ input: stderr });
  const seen: string[] = [];
  const deadline = AbortSignal.timeout(readyWithinMs);
  const found = new Promise<string>((resolve, reject) => {
    const fail = (why: string): void => reject(new TypeError(`moto ${why}: ${seen.join("\n")}`));
    // Goes on reading afterwards: a full pipe would stop the server.
    lines.on("line", (line) => {
      if (seen.push(line) > 50) seen.shift();
      const url = /Running on (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
    deadline.addEventListener("abort", () => fail("did not start in time"));
    void exited.then(() => fail("ended"));
  });
  return found;
}

async function createUser(
  url: string,
  name: string,
  actions: readonly string[],
): Promise<MotoKeys> {
  await iam(url, { Action: "CreateUser", UserName: name });
  await iam(url, {
    Action: "PutUserPolicy",
    UserName: name,
    PolicyName: "rights",
    PolicyDocument: JSON.stringify({
      Version: "2012-10-17",
      Statement: [{ Effect: "Allow", Action: actions, Resource: "*" }],
    }),
  });
  const answer = await iam(url, { Action: "CreateAccessKey", UserName: name });
  return {
    accessKeyId: textOf(answer, "AccessKeyId"),
    secretAccessKey: textOf(answer, "SecretAccessKey"),
  };
}

/** One call of AWS's IAM API, before signatures are checked. */
async function iam(url: string, fields: Record<string, string>): Promise<string> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=setup/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=0`,
    },
    body: new URLSearchParams({ Version: "2010-05-08", ...fields }),
  });
  return expectOk(response);
}

async function expectOk(response: Response): Promise<string> {
  const text = await response.text();
  if (!response.ok) throw new TypeError(`moto answered ${response.status}: ${text}`);
  return text;
}

function textOf(xml: string, element: string): string {
  const text = new RegExp(`<${element}>([^<]+)</${element}>`).exec(xml)?.[1];
  if (text === undefined) throw new TypeError(`moto's answer has no ${element}`);
  return text;
}
