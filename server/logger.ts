import { type LoggerOptions, pino } from 'pino';

/** What a log line may carry beside its name: ids, codes, counts and durations. No address and no key material. */
export type LogFields = Readonly<Record<string, unknown>>;

export interface Logger {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  /** `error` is written with its stack and its causes. */
  error(event: string, error: unknown, fields?: LogFields): void;
}

let root: Logger | undefined;

/** The logger of this process: one JSON line an event on stdout, from `LOG_LEVEL` (info) upward. */
export function logger(): Logger {
  root ??= createLogger(process.env.LOG_LEVEL || 'info');
  return root;
}

/** Makes a logger of its own level. Events are names with ids, such as `withdrawal.submitted`, not sentences. */
export function createLogger(level: string, destination: { write(line: string): void } = pino.destination(1)): Logger {
  const options: LoggerOptions = {
    level,
    base: { pid: process.pid },
    messageKey: 'event',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
  const out = pino(options, destination);
  return {
    debug: (event, fields = {}) => out.debug(plain(fields), event),
    info: (event, fields = {}) => out.info(plain(fields), event),
    warn: (event, fields = {}) => out.warn(plain(fields), event),
    error: (event, error, fields = {}) => out.error({ ...plain(fields), err: error }, event),
  };
}

/** A bigint would make the serialiser throw, and a log line must never be what fails. */
function plain(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : value]),
  );
}
