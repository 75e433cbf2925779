import { createDatabase } from '#server/db/database.ts';
import { serveSignedIn } from './signed-in-door.ts';

const { DATABASE_URL: url = '', PORT: port = '' } = process.env;
const db = createDatabase({ url, max: 16, applicationName: 'cryptoex-bench-no-op' });
serveSignedIn({ db, port: Number(port) }, async () => ({ replayed: false }));
