import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { clearIpc } from "./clear-ipc.ts";
import { clearSharedFolders } from "./clear-shared-folders.ts";
import { endIdentity } from "./end-identity.ts";
import { type Identity, identityOf } from "./identity.ts";
import { removeTree } from "./remove-tree.ts";

/** How long a caller waits before it tries again when every id is in use. */
const retryAfterS = 5;

/**
 * The ids of a host's launches. One belongs to one launch until nothing of it is left; the one
 * that has been free for the longest time is given next.
 */
export class IdentityPool {
  readonly #free: number[];
  readonly #all: ReadonlySet<number>;
  /** What a host that was killed has left is gone. */
  readonly #cleared: Promise<unknown>;

  constructor(uids: readonly number[]) {
    this.#free = [...uids];
    this.#all = new Set(uids);
    this.#cleared = clearSharedFolders(this.#all);
  }

  /** @throws GatewayError CAPACITY when all are in use. */
  async take(): Promise<Identity> {
    await this.#cleared;
    const uid = this.#free.shift();
    if (uid !== undefined) return identityOf(uid);
    throw new GatewayError("CAPACITY", "All user ids of the host's launches are in use.", {
      retryAfterS,
    });
  }

  /**
   * Ends what runs under the identity and removes what it has left outside of its folders; false
   * when some of it resists.
   */
  async end(identity: Identity): Promise<boolean> {
    const ended = await endIdentity(identity);
    const cleared = await clearSharedFolders(new Set([identity.uid]), this.#endWriter);
    return (await clearIpc(identity)) && cleared && ended;
  }

  /** Removes a launch's own folder; false when it could not be. */
  remove(folder: string): Promise<boolean> {
    return removeTree(folder, this.#endWriter);
  }

  /** A launch that keeps on writing to what another one has left ends with it. */
  readonly #endWriter = async (uid: number): Promise<void> => {
    if (this.#all.has(uid)) await endIdentity(identityOf(uid));
  };

  /** The identity may be given to another launch; only for one that was ended. */
  free({ uid }: Identity): void {
    this.#free.push(uid);
  }
}
