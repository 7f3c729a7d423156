import type { EmitEvent } from "../http/event-stream.ts";

/** Counts, by name, the events that a limit, or a slow reader, kept back. */
export class DropCounter {
  readonly #counts = new Map<string, number>();

  /** `mayPass`, with every refusal counted under `name`. */
  watch(name: string, mayPass: () => boolean): () => boolean {
    return () => this.#count(name, mayPass());
  }

  /** `emit`, with every event that it leaves out counted under `name`. */
  watchEmit(name: string, emit: EmitEvent): EmitEvent {
    return (event) => this.#count(name, emit(event));
  }

  get counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  #count(name: string, passes: boolean): boolean {
    if (!passes) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    return passes;
  }
}
