import { connect, createServer, type Socket } from 'node:net';

/** A wire that can be cut, between a test's pool and its Postgres. */
export interface CutProxy {
  readonly url: string;
  /** Ends every connection and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
  /** The next time a client sends this text, the server's answer to it is swallowed and the connection ends. */
  swallowAnswerTo(text: string): void;
  close(): Promise<void>;
}

/** Opens such a wire to the server of a database URL. */
export async function openCutProxy(databaseUrl: string): Promise<CutProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  let swallow: string | null = null;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    let isDoomed = false;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on('data', (bytes) => {
      if (swallow !== null && bytes.includes(swallow)) {
        isDoomed = true;
        swallow = null;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      // The answer has come, so the server is done: it has committed, and nobody will be told.
      if (isDoomed) end();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${address.port}` }).href,
    cut: () => {
      isCut = true;
      destroyAll();
    },
    mend: () => {
      isCut = false;
    },
    swallowAnswerTo: (text) => {
      swallow = text;
    },
    close: async () => {
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
