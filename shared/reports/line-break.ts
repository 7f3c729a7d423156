/** What ends a line, as the validator counts lines. */
export const lineBreak = /\r\n|\n|\r/g;
