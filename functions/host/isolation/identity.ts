/** A user id and a group id, which are equal: who a program is to the kernel. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

export function identityOf(uid: number): Identity {
  return { uid, gid: uid };
}
