import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export interface HealthReport {
  readonly isReady: boolean;
  readonly isWritable: boolean;
  /** Named parts and how they are, for people. */
  readonly parts: Readonly<Record<string, string>>;
}

/** Answers `/health/live`, `/health/ready` and `/health/writable` with 200 or 503 and a few words. */
export function startHealthServer(options: {
  port: number;
  report: () => Promise<HealthReport>;
  /** Answers `/metrics`, to whom it may. */
  answerMetrics: (call: { request: IncomingMessage; response: ServerResponse }) => Promise<void>;
}): Server {
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      response.end(JSON.stringify(body));
    };
    if (request.url === '/metrics') {
      options.answerMetrics({ request, response }).catch(() => answer(503, { status: 'unknown' }));
      return;
    }
    if (request.url === '/health/live') return answer(200, { status: 'live' });
    options.report().then(
      (report) => {
        const { parts } = report;
        if (request.url === '/health/ready')
          return answer(report.isReady ? 200 : 503, { ready: report.isReady, parts });
        if (request.url === '/health/writable')
          return answer(report.isWritable ? 200 : 503, { writable: report.isWritable, parts });
        return answer(404, { status: 'no_such_question' });
      },
      () => answer(503, { status: 'unknown' }),
    );
  });
  server.listen(options.port);
  return server;
}
