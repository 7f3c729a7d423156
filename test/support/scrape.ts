/** The numbers that a Prometheus text holds, by `name{labels}` as it is written there. */
export function readMetrics(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const border = line.lastIndexOf(" ");
      return [line.slice(0, border), Number(line.slice(border + 1))];
    }),
  );
}
