import { blocking, failing, noted, ofPolicy, warning, type Rule } from "./rule.ts";

const borders =
  "GW401 is for values whose shape proves what they are: the prefixes of known services, private keys, JSON Web Tokens. A value that is given away by its name or its randomness alone gets GW402, one inside a URL GW403, a stand-in GW404, one pasted inside `${…}` GW417. Settings may raise GW402 to an error.";

/** GW4xx: secrets and references. */
export const secretRules = {
  GW401: noted(
    failing(
      "A credential is written into the config.",
      "Store the value as a secret, write `${NAME}` in its place, and revoke what was committed.",
    ),
    borders,
  ),
  GW402: noted(
    warning(
      "A value looks like a credential.",
      "If it is one, store it as a secret and write `${NAME}` in its place.",
    ),
    borders,
  ),
  GW403: noted(
    failing(
      "A URL carries a credential.",
      "Store the value as a secret and refer to it as `${NAME}`.",
    ),
    borders,
  ),
  GW404: warning(
    "A placeholder was left in.",
    "Replace it with the real value, or with a `${NAME}` reference.",
  ),
  GW405: warning(
    "A credential is empty.",
    "Write a `${NAME}` reference, or remove the name: the server starts without the value and fails at use.",
  ),
  GW410: blocking(
    "A reference stands in a place where references are refused.",
    "References work in env, headers, config, args and the query of url.",
  ),
  GW411: warning(
    "The text looks like a reference and is sent as it stands.",
    "Write `${NAME}`, or `$${NAME}` if the text is meant literally.",
  ),
  GW412: warning(
    "An input is used that the file does not declare.",
    "Declare the input, or refer to a stored secret as `${NAME}`.",
  ),
  GW413: blocking(
    "A reference asks to run a command or read a file.",
    "Write `${NAME}` and store the value as a secret.",
  ),
  GW414: warning(
    "A reference in args shows in process lists.",
    "Pass the value through `env`; submitted configs may not refer to secrets in args.",
  ),
  GW415: warning(
    "A reference names a path of the author's machine.",
    "Write the value out, or remove it: a hosted server has no such path.",
  ),
  GW416: warning(
    "A reference's default value is not kept, or takes the place of the reference.",
    "Store the value under the reference's name, or write it out.",
  ),
  GW417: failing(
    "A credential was pasted in place of a variable's name.",
    "Revoke the credential, store a new one, and write its name inside `${…}`.",
  ),
  GW418: noted(
    failing(
      "A secret would go where the tenant's policy does not let it go.",
      "Have the operator list the URL under `send_to`, by the secret's name, or give the value in `inputs`.",
    ),
    `${ofPolicy} Names that the server lists under \`inputs\` are left out: requests give their values.`,
  ),
} as const satisfies Record<string, Rule>;
