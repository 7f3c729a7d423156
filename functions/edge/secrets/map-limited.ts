/**
 * `work` for every item, at most `limit` at a time: a Worker's seventh connection would wait in
 * silence. Rejects with the first failure; work that has begun is not waited for.
 */
export async function mapLimited<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  let failed = false;
  async function worker(): Promise<void> {
    for (const [index, item] of left) {
      if (failed) return;
      results[index] = await work(item);
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  } catch (error) {
    failed = true;
    throw error;
  }
  return results;
}
