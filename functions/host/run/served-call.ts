import { isNestedDeeper, maxNesting } from "../../../shared/content/nesting.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { JsonObject } from "../../../shared/mcp/json.ts";
import { operate } from "../../../shared/mcp/operate.ts";
import { listMembers, type McpOperation } from "../../../shared/mcp/operation.ts";
import type { OperationDeadline } from "../../../shared/mcp/operation-deadline.ts";
import type { OperationResult } from "../../../shared/mcp/session-types.ts";
import type { RunRequest } from "../../../shared/run-contract/contract.ts";
import type { Lease } from "../pool/server-pool.ts";
import { canAnswer, type QuestionMethod } from "../questions/answerable.ts";
import { OpenQuestions } from "../questions/open-questions.ts";
import type { Answerer, Question } from "../questions/question-desk.ts";
import { ownerOf } from "../sessions/owner-of.ts";
import type { HeldProcesses } from "../sessions/held-processes.ts";
import type { Run } from "./run.ts";
import { openTelling, type Telling } from "./telling.ts";

/** How far a call has come: to its end, or to questions that its caller has to answer first. */
export type Step =
  | { readonly kind: "answered"; readonly told: OperationResult }
  | { readonly kind: "asked"; readonly questions: Record<string, Question> };

export interface ServedCallOptions {
  readonly lease: Lease;
  readonly operation: McpOperation;
  readonly held: HeldProcesses;
  readonly now: () => number;
}

const maxRefusalsTold = 16;
/** How a call ends for its caller while the server may still be at it. */
const unanswered = new Set([
  "CANCELLED",
  "REQUEST_TIMEOUT",
  "RESPONSE_INVALID",
  "RESPONSE_TOO_LARGE",
]);

/**
 * One operation on a server. It may take several runs: when the server asks something, the run
 * ends with the questions, and the call waits in its process for the run that answers them.
 */
export class ServedCall implements Answerer {
  readonly lease: Lease;
  /** The kept session that it is of; null = none. */
  readonly sessionId: string | null;
  readonly poolKey: string;
  readonly #options: ServedCallOptions;
  readonly #cancel = new AbortController();
  readonly #ended: Promise<OperationResult>;
  readonly #refusals: QuestionMethod[] = [];
  readonly #questions = new OpenQuestions(() => this.#goOn());
  #asked = Promise.withResolvers<void>();
  #deadline: OperationDeadline | undefined;
  #giveBack: (() => void) | null = null;
  /** Of the run that waits for the call's next step; of the last one that did while none does. */
  #telling: Telling;
  #attended = false;
  #sent = false;
  #abandoned = false;

  constructor(run: Run, options: ServedCallOptions) {
    this.lease = options.lease;
    this.#options = options;
    this.sessionId = run.request.session?.id ?? null;
    this.poolKey = run.request.pool_key;
    this.#telling = this.#tellingOf(run);
    this.#ended = this.#operate();
    this.#ended.catch(() => undefined); // Told to the run that waits for it, or to the next one.
  }

  /** What went over the limits in the run that attends it. */
  get dropped(): Record<string, number> {
    return this.#telling.dropped;
  }

  /** Goes on until the call ends or asks; what it tells meanwhile goes to the run, which may cancel it. */
  async step(run: Run): Promise<Step> {
    using _attending = this.#attend(run);
    for (;;) {
      const told = await Promise.race([this.#ended, this.#asked.promise]);
      if (told !== undefined) return { kind: "answered", told: this.#withRefusals(told) };
      if (this.#questions.size > 0) return { kind: "asked", questions: this.#questions.byKey };
      this.#asked = Promise.withResolvers();
    }
  }

  /** The caller's answers; the call goes on when no question is left. */
  answer(run: Run, responses: JsonObject): void {
    this.#telling = this.#tellingOf(run);
    this.#questions.answer(responses);
  }

  /** Nobody waits for it any more: its questions are refused, and it may end within its own time. */
  abandon(): void {
    this.#abandoned = true;
    this.#questions.refuse();
  }

  readonly ask = (question: Question, signal: AbortSignal): Promise<JsonObject> | null => {
    const { request } = this.#telling;
    if (this.#abandoned || this.#questions.isFull || this.#isList) return null;
    if (isNestedDeeper(question.params, maxNesting)) return null;
    if (!canAnswer(request, question.method) || !this.#hold(request)) return null;
    // A process that waits is of no use to others, unless they share the session with it.
    if (this.sessionId === null) this.lease.retire();
    this.#deadline?.pause();
    const answer = this.#questions.add(question, signal);
    this.#asked.resolve();
    return answer;
  };

  readonly refused = (method: QuestionMethod): void => {
    if (this.#refusals.length < maxRefusalsTold) this.#refusals.push(method);
  };

  async #operate(): Promise<OperationResult> {
    const { lease, operation } = this.#options;
    const { server } = lease;
    const { limits, log_level: level, client_capabilities: capabilities } = this.#telling.request;
    using _frames = server.process.frames.allow(limits.result_bytes);
    using _notes = server.notifications.listen(
      (note) => this.#attended && this.#telling.note(note),
    );
    using _questions = server.questions.enter(this);
    try {
      return await operate(server.session, operation, {
        timeoutMs: limits.call_ms,
        extendsToMs: limits.progress_extends_to_ms,
        signal: this.#cancel.signal,
        onDeadline: (deadline) => (this.#deadline = deadline),
        onSent: () => this.#tellSent(),
        onProgress: (progress) => this.#attended && this.#telling.progress(progress),
        ...(level === null ? {} : { logLevel: level }),
        ...(capabilities === undefined ? {} : { capabilities }),
      });
    } catch (error) {
      if (error instanceof GatewayError) this.#leave(error);
      throw error;
    } finally {
      this.#deadline = undefined;
      this.#questions.refuse();
      this.#giveBack?.();
      lease.release();
    }
  }

  #tellSent(): void {
    this.#sent = true;
    this.#telling.emit({ event: "sent" });
  }

  #leave({ code }: GatewayError): void {
    const { lease } = this.#options;
    // A server that let one call run out may let all others do so as well.
    if (code === "REQUEST_TIMEOUT" && this.sessionId === null) lease.retire();
    if (this.#sent && unanswered.has(code)) lease.leaveUnanswered();
  }

  #attend(run: Run): Disposable {
    const { signal } = run;
    const cancel = (): void => this.#cancel.abort(signal.reason);
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    this.#attended = true;
    return {
      [Symbol.dispose]: () => {
        this.#attended = false;
        signal.removeEventListener("abort", cancel);
      },
    };
  }

  /** A list is answered whole, and not over several runs. */
  get #isList(): boolean {
    return Object.hasOwn(listMembers, this.#options.operation.method);
  }

  /** A place among the processes that wait; a session's has one already. */
  #hold(request: RunRequest): boolean {
    if (this.sessionId !== null) return true;
    this.#giveBack ??= this.#options.held.hold(ownerOf(request));
    return this.#giveBack !== null;
  }

  #goOn(): void {
    const { call_ms, progress_extends_to_ms } = this.#telling.request.limits;
    this.#deadline?.restart({ timeoutMs: call_ms, extendsToMs: progress_extends_to_ms });
    this.#asked = Promise.withResolvers();
  }

  #tellingOf(run: Run): Telling {
    const { lease, now } = this.#options;
    return openTelling(run, { redact: lease.server.redact, now });
  }

  #withRefusals({ result, warnings }: OperationResult): OperationResult {
    const told = this.#refusals.map((method) => ({
      code: "QUESTION_REFUSED",
      message: `The server asked (${method}) and was refused: the caller had not said that it can answer, no call was made, other calls were in flight, or too many calls wait for answers.`,
    }));
    return { result, warnings: [...warnings, ...told] };
  }
}
