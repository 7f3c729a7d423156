import type { JsonObject } from "../../../shared/mcp/json.ts";
import type { ServerQuestion } from "../../../shared/mcp/session-types.ts";
import { isQuestionMethod, type QuestionMethod } from "./answerable.ts";
import { refuseQuestion, unknownQuestion } from "./refuse-question.ts";

/** A question that a server may ask, as far as its method tells. */
export interface Question extends ServerQuestion {
  readonly method: QuestionMethod;
}

/** A call in flight, as the desk sees it. */
export interface Answerer {
  /** The answer to a question of this call's; null = the caller is not asked. */
  readonly ask: (question: Question, signal: AbortSignal) => Promise<JsonObject> | null;
  /** A question was refused while this call was in flight. */
  readonly refused: (method: QuestionMethod) => void;
}

/**
 * Hands what a server asks of its client to the call in flight. A question says not which call it
 * is of: with several in flight it is nobody's, and is refused.
 */
export class QuestionDesk {
  readonly #calls = new Set<Answerer>();
  #muted = false;

  /** Takes part until what it returns is disposed of. */
  enter(call: Answerer): Disposable {
    this.#calls.add(call);
    return { [Symbol.dispose]: () => void this.#calls.delete(call) };
  }

  /** From here on every question is refused: it may be of a call that has ended. */
  mute(): void {
    this.#muted = true;
  }

  /** @throws RefusedQuestion */
  async answer({ method, params }: ServerQuestion, signal: AbortSignal): Promise<JsonObject> {
    if (!isQuestionMethod(method)) throw unknownQuestion();
    const [only] = this.#calls;
    const asked =
      !this.#muted && this.#calls.size === 1 ? only?.ask({ method, params }, signal) : null;
    if (asked !== null && asked !== undefined) return asked;
    for (const call of this.#calls) call.refused(method);
    return refuseQuestion(method);
  }
}
