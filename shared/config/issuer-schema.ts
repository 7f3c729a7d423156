import * as z from "zod";
import { scopes } from "../api/scopes.ts";
import { keyIdPattern, narrowingFields } from "./key-fields.ts";

/** Signatures by key pairs alone: a shared secret could sign as well as check. */
const tokenAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
] as const;

const httpUrl = z.url({ protocol: /^https?$/ });
const claimName = z.string().min(1).max(128);

/** An issuer of tokens, and the most that a token of it can stand for. */
export const issuerSchema = z
  .strictObject({
    id: z
      .string()
      .regex(keyIdPattern)
      .meta({ description: "Id for logs and revocation: 4 to 16 small letters and digits." }),
    issuer: httpUrl.meta({ description: "The tokens' `iss`, to the character." }),
    jwks_url: httpUrl.meta({ description: "Where the issuer's public keys are (a JWK set)." }),
    audience: z.string().min(1).meta({ description: "What the tokens' `aud` must hold." }),
    algorithms: z
      .array(z.enum(tokenAlgorithms))
      .min(1)
      .meta({ description: "Signature algorithms that are taken." }),
    tenants: z.array(z.string()).min(1).meta({ description: "Tenants that a token may be for." }),
    tenant_claim: claimName.optional().meta({
      description: "The claim that names the tenant; needed where there are several.",
    }),
    scopes: z.array(z.enum(scopes)).min(1).meta({ description: "The most that a token may do." }),
    scope_claim: claimName.optional().meta({
      description:
        "The claim (a list, or words in one text) that lists a token's scopes. Default: every token has all of `scopes`.",
    }),
    claims: z.record(claimName, z.array(z.string()).min(1)).default({}).meta({
      description:
        "Further claims that a token must have, each with the values that are taken, as `repository: [acme/app]`.",
    }),
    ...narrowingFields,
  })
  .refine(({ tenants, tenant_claim }) => tenants.length === 1 || tenant_claim !== undefined, {
    path: ["tenant_claim"],
    error: "an issuer of several tenants needs the claim that names one",
  });

export type TokenIssuer = z.infer<typeof issuerSchema>;
