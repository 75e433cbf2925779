import { connect, type Socket } from 'node:net';

/** One request as it goes over the wire. */
export interface WireRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Posts as many as it can over kept connections, each with one request in flight. Written on bare sockets: a client library
 * would cost the machine more than some of what is measured.
 *
 * @throws when an answer is not 200
 */
export async function loadHttp(input: {
  port: number;
  connections: number;
  milliseconds: number;
  /** On each connection, however long it takes. */
  atLeast?: number;
  next: () => WireRequest;
}): Promise<{ operations: number; latencyMs: number[] }> {
  const end = performance.now() + input.milliseconds;
  const latencyMs: number[] = [];
  const lane = async () => {
    const line = await openLine(input.port);
    try {
      for (let sent = 0; sent < (input.atLeast ?? 0) || performance.now() < end; sent += 1) {
        const startedAt = performance.now();
        await line.post(input.next());
        latencyMs.push(performance.now() - startedAt);
      }
    } finally {
      line.close();
    }
  };
  await Promise.all(Array.from({ length: input.connections }, lane));
  return { operations: latencyMs.length, latencyMs };
}

interface Line {
  post(request: WireRequest): Promise<void>;
  close(): void;
}

async function openLine(port: number): Promise<Line> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let waiting: { resolve: () => void; reject: (error: Error) => void } | null = null;
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
    if (!isWhole(received)) return;
    const answer = received;
    received = '';
    if (/^HTTP\/1\.1 200 /.test(answer)) waiting?.resolve();
    else waiting?.reject(new Error(`the door answered ${answer.slice(0, 600)}`));
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('the door hung up')));
  return {
    post: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        write(socket, port, request);
      }),
    close: () => {
      waiting = null;
      socket.destroy();
    },
  };
}

function write(socket: Socket, port: number, { path, headers, body }: WireRequest): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = Buffer.byteLength(body);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${lines.join('')}content-length: ${length}\r\n\r\n${body}`,
  );
}

/** Knows both ways in which Node ends an answer. */
function isWhole(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, head))?.[1];
  if (length !== undefined) return answer.length >= head + 4 + Number(length);
  return answer.endsWith('0\r\n\r\n');
}
