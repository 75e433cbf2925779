import { runCustody } from './run-custody.ts';

function log(event: string, fields: object): void {
  console.log(JSON.stringify({ at: new Date().toISOString(), event, ...fields }));
}

const custody = await runCustody({ log }, process.env);

let stopping = false;
function stop(signal: string): void {
  if (stopping) return;
  stopping = true;
  log('custody.stopping', { signal });
  custody.stop().then(
    () => process.exit(0),
    (cause: unknown) => {
      console.error(cause);
      process.exit(1);
    },
  );
}
process.on('SIGTERM', () => stop('SIGTERM'));
process.on('SIGINT', () => stop('SIGINT'));
log('custody.ready', { port: custody.port, statementKey: custody.statementKey });
