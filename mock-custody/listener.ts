import { once } from 'node:events';
import type { Server } from 'node:http';

export type Listener = {
  /** Refuses connections for a while: nobody listens, and every open connection is cut. The current answer still goes out. */
  refuse(forMs: number): void;
  stop(): Promise<void>;
};

// Time for the answer that ordered it to leave.
const ANSWER_MS = 20;
const IDLE_CHECK_MS = 20;
const STOP_MAX_MS = 5_000;

export async function listen(server: Server, input: { port: number; host: string }): Promise<Listener> {
  let timer: NodeJS.Timeout | undefined;
  const open = async (): Promise<void> => {
    server.listen(input.port, input.host);
    await once(server, 'listening');
  };
  await open();
  return {
    refuse(forMs) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        server.close();
        server.closeAllConnections();
        timer = setTimeout(() => void open(), forMs);
      }, ANSWER_MS);
    },
    async stop() {
      clearTimeout(timer);
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      // A connection becomes idle only after its answer; those that never do (a stalled body) are cut in the end.
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
      const cut = setTimeout(() => server.closeAllConnections(), STOP_MAX_MS);
      await closed;
      clearInterval(idle);
      clearTimeout(cut);
    },
  };
}
