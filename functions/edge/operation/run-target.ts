import type { McpOperation } from "../../../shared/mcp/operation.ts";
import type { Continuation, OperationOptions } from "../../../shared/mcp/session-types.ts";
import { knownTool } from "./known-tool.ts";
import type { ServerResult } from "./open-server.ts";
import type { OperationContext } from "./operation-context.ts";
import type { PreparedServer } from "./prepare.ts";
import { readResource } from "./read-resource.ts";
import { runNamed } from "./run-named.ts";
import type { Target } from "./target.ts";

export interface TargetRun {
  readonly target: Target;
  readonly continuation: Continuation;
  readonly options: OperationOptions;
}

/** What was asked for, by the server's own name of it, and the server's answer. */
export interface Ran {
  readonly target: Target;
  readonly result: ServerResult;
}

/**
 * Runs one operation. Its name may be any that the catalogue gives; the set that can be used is
 * the set that is listed.
 * @throws GatewayError TOOL_NOT_ALLOWED, PROMPT_NOT_ALLOWED, and what the session throws
 */
export async function runTarget(
  prepared: PreparedServer,
  run: TargetRun,
  context: OperationContext,
): Promise<Ran> {
  const { target, continuation, options } = run;
  const send = async (named: Target): Promise<Ran> => {
    context.contacting();
    const operation = operationOf(named, continuation);
    const tool =
      named.kind === "tool" ? knownTool(named.name, options, { prepared, context }) : undefined;
    const told = tool === undefined ? options : { ...options, knownTool: tool };
    return { target: named, result: await prepared.open.run(operation, told) };
  };
  switch (target.kind) {
    case "tool":
    case "prompt": {
      const { kind, name } = target;
      const use = (original: string) => send({ ...target, name: original });
      return runNamed({ kind, name, use, options }, prepared, context);
    }
    case "completion": {
      const { ref } = target;
      if (ref.type === "ref/resource") return send(target);
      const use = (name: string) => send({ ...target, ref: { ...ref, name } });
      return runNamed({ kind: "prompt", name: ref.name, use, options }, prepared, context);
    }
    case "resource":
      return readResource(
        { uri: target.uri, read: () => send(target), options },
        prepared,
        context,
      );
  }
}

function operationOf(target: Target, continuation: Continuation): McpOperation {
  switch (target.kind) {
    case "tool": {
      const { name, arguments: args } = target;
      return { method: "tools/call", params: { name, arguments: args, ...continuation } };
    }
    case "prompt": {
      const { name, arguments: args } = target;
      return { method: "prompts/get", params: { name, arguments: args, ...continuation } };
    }
    case "resource":
      return { method: "resources/read", params: { uri: target.uri, ...continuation } };
    case "completion": {
      const { kind: _, ...params } = target;
      return { method: "completion/complete", params };
    }
  }
}
