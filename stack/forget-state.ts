import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { findOutsideFolder } from './postgres-home.ts';
import { endLeftovers } from './process-records.ts';

/** Ends what still runs on a state folder and deletes it, with the database that may lie elsewhere. */
export async function forgetState(stateFolder: string): Promise<void> {
  await endLeftovers(stateFolder);
  for (const cluster of ['postgres', 'custody-postgres']) {
    rmSync(findOutsideFolder(join(stateFolder, cluster)), { recursive: true, force: true });
  }
  rmSync(stateFolder, { recursive: true, force: true });
}
