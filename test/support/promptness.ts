/**
 * What a broken or silent server may cost beyond its deadline, milliseconds. An idle machine needs
 * a few hundred; a test must tell a prompt end from one at a limit of a minute, on a machine that
 * is busy with other tests too.
 */
export const promptMs = 15_000;
