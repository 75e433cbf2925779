/** How many statements of one kind go to the database as one: what a flush of the log carries well, and no more delay than that. */
export const BATCH_MAX = 64;
/** Connections are for everybody. */
const AT_ONCE = 4;

/** Asks for each of a batch that was taken back by itself, a few at a time. What `ask` rejects with is the caller's to settle. */
export async function oneByOne<Item>(batch: readonly Item[], ask: (one: Item) => Promise<void>): Promise<void> {
  const left = [...batch];
  const next = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await ask(one);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, left.length) }, next));
}
