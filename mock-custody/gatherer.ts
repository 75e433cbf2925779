/**
 * Gathers items that arrive while the last batch is being stored, and stores them as the next one: no timer, one batch
 * at a time. The promise of `add` settles when the item's batch was stored.
 */
export function createGatherer<Item>(store: (items: Item[]) => Promise<void>): (item: Item) => Promise<void> {
  let waiting: Item[] = [];
  let storing: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;

  return (item) => {
    waiting.push(item);
    next ??= storing.then(() => {
      const batch = waiting;
      waiting = [];
      next = null;
      const done = store(batch);
      // The next batch starts after this one whether or not it was stored.
      storing = done.catch(() => undefined);
      return done;
    });
    return next;
  };
}
