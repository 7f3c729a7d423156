/** A reason why `npm start` cannot go on: `message` is one line that holds the remedy. */
export class StartError extends Error {
  override readonly name = "StartError";
}
