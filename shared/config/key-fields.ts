import * as z from "zod";
import { serverNamePattern } from "./server-config.ts";

export const keyIdPattern = /^[a-z0-9]{4,16}$/;

/** What holds an API key, or the tokens of an issuer, to a part of the tenant's catalogue. */
export const narrowingFields = {
  servers: z.array(z.string().regex(serverNamePattern)).min(1).optional().meta({
    description:
      "Only these configured servers are in scope, and no submitted ones. Default: every server.",
  }),
  tools: z.array(z.string().min(1).max(256)).min(1).optional().meta({
    description:
      "Only tools whose original name fits one of these are listed and callable (prompts as prompt:NAME); `*` stands for any characters. Default: every tool.",
  }),
};
