import { isJsonObject, type JsonObject } from "../../../shared/mcp/json.ts";
import type { Question } from "./question-desk.ts";
import { refuseQuestion } from "./refuse-question.ts";

/** A server that asks more than this at the same time is refused. */
const maxOpen = 16;

interface OpenQuestion {
  readonly question: Question;
  readonly settle: (answer: JsonObject | Promise<JsonObject>) => void;
}

/** The questions of one call that its caller has not answered, by the keys that it answers them under. */
export class OpenQuestions {
  readonly #open = new Map<string, OpenQuestion>();
  readonly #onNone: () => void;
  #asked = 0;

  /** `onNone`: the last one was answered, or taken back by its server. */
  constructor(onNone: () => void) {
    this.#onNone = onNone;
  }

  get size(): number {
    return this.#open.size;
  }

  get isFull(): boolean {
    return this.#open.size >= maxOpen;
  }

  /** As the caller is told of them. */
  get byKey(): Record<string, Question> {
    return Object.fromEntries([...this.#open].map(([key, { question }]) => [key, question]));
  }

  /** Waits for the answer; one that its server takes back is open no more. */
  add(question: Question, signal: AbortSignal): Promise<JsonObject> {
    const key = `q${(this.#asked += 1)}`;
    const { promise, resolve } = Promise.withResolvers<JsonObject>();
    this.#open.set(key, { question, settle: resolve });
    signal.addEventListener("abort", () => this.#settle(key, {}), { once: true });
    return promise;
  }

  /** Answers those that have one; the others stay open. */
  answer(responses: JsonObject): void {
    for (const [key, response] of Object.entries(responses)) {
      if (isJsonObject(response)) this.#settle(key, response);
    }
  }

  /** Nobody will answer: each is refused as the protocol says. */
  refuse(): void {
    for (const [key, { question }] of this.#open) {
      this.#settle(key, refusalOf(question));
    }
  }

  #settle(key: string, answer: JsonObject | Promise<JsonObject>): void {
    const open = this.#open.get(key);
    if (open === undefined) return;
    this.#open.delete(key);
    open.settle(answer);
    if (this.#open.size === 0) this.#onNone();
  }
}

async function refusalOf({ method }: Question): Promise<JsonObject> {
  return refuseQuestion(method);
}
