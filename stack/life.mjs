// Dependency-free: it must work before anything is installed.

/**
 * @typedef {{ stop: () => void | Promise<void>, force?: () => void }} Ending
 * @typedef {{
 *   signal: AbortSignal,
 *   onStop: (ending: Ending) => () => void,
 *   isReady: () => void,
 *   end: (code: number, lastWords?: string) => Promise<never>,
 * }} Life
 */

// One Ctrl-C reaches us twice, from the terminal and from npm: only a later one means that somebody lost patience.
const SECOND_SIGNAL_AFTER_MS = 1_000;
// How long an orphan may live; a look at a number costs nothing.
const PARENT_CHECK_EVERY_MS = 500;
/** @type {Record<string, number>} */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/**
 * What ends with this process: a signal, a closed terminal or a dead parent stops everything that was registered, the
 * last registered first, and then the process. A second signal forces.
 *
 * @param {{ log: (line: string) => void }} deps
 * @returns {Life}
 */
export function watchLife({ log }) {
  /** @type {Ending[]} */
  const endings = [];
  const aborted = new AbortController();
  const parent = process.ppid;
  let firstSignalAt = 0;
  let ready = false;
  /** @type {Promise<never> | undefined} */
  let ending;

  /** @param {number} code @param {string} [lastWords] the last line of all @returns {Promise<never>} */
  function end(code, lastWords) {
    ending ??= stopAll().then(() => {
      if (lastWords !== undefined) console.log(lastWords);
      return process.exit(code);
    });
    return ending;
  }

  async function stopAll() {
    aborted.abort(new Error('stopped'));
    // Something that was just being started may register itself while we stop: look again until none is left.
    for (let last = endings.at(-1); last; last = endings.at(-1)) {
      try {
        await last.stop();
      } catch (error) {
        log(`while stopping: ${error instanceof Error ? error.message : error}`);
      }
      forget(last);
    }
  }

  /** @param {Ending} done */
  function forget(done) {
    const index = endings.indexOf(done);
    if (index !== -1) endings.splice(index, 1);
  }

  /** @param {string} why @param {number} code */
  function stopBecause(why, code) {
    if (firstSignalAt === 0) {
      firstSignalAt = Date.now();
      log(`${why}: stopping`);
      void end(code);
    } else if (Date.now() - firstSignalAt >= SECOND_SIGNAL_AFTER_MS) {
      log(`${why} again: ending everything at once`);
      for (const { force } of [...endings].reverse()) force?.();
      process.exit(1);
    }
  }

  // A closed terminal makes every write fail (EIO); losing a line is better than leaving Postgres behind.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  for (const [name, code] of Object.entries(EXIT_CODES)) {
    // A stop that was asked for once we were ready is a success.
    process.on(name, () => stopBecause(name, ready ? 0 : code));
  }
  const parentWatch = setInterval(() => {
    if (process.ppid !== parent && firstSignalAt === 0) stopBecause('the parent process is gone', 1);
  }, PARENT_CHECK_EVERY_MS);
  parentWatch.unref();

  return {
    signal: aborted.signal,
    onStop: (added) => {
      endings.push(added);
      return () => forget(added);
    },
    isReady: () => {
      ready = true;
    },
    end,
  };
}
