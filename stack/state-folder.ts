import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isPortOpen } from './probes.ts';

/** Made once, kept with the state, readable by nobody else. */
export type Secrets = {
  /** Signs the session cookies. */
  authSecret: string;
  /** Standard Webhooks: `whsec_` and 32 bytes in base64. */
  webhookSecret: string;
  custodyApiKey: string;
  /** Ed25519, in base64: with what custody signs statements (PKCS8), and by what we verify them (SPKI). */
  statementKey: { signs: string; verifies: string };
  databasePassword: string;
};

export type PortName = 'web' | 'postgres' | 'custodyPostgres' | 'redis' | 'chain' | 'custody' | 'workerHealth';
export type Ports = Record<PortName, number>;

const PORT_NAMES: PortName[] = ['web', 'postgres', 'custodyPostgres', 'redis', 'chain', 'custody', 'workerHealth'];

// Below the range from which systems take ports for outgoing connections: one of those would sit on a kept port.
const FIRST_FREE_PORT = 20_000;
const FREE_PORTS = 10_000;

/** The secrets of this state folder; made at the first call. */
export function readSecrets(stateFolder: string): Secrets {
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  const path = join(stateFolder, 'secrets.json');
  const kept: Partial<Secrets> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  // A folder that is older than one of them gets that one; nothing that it has is changed.
  const secrets: Secrets = { ...makeSecrets(), ...kept };
  if (Object.keys(kept).length === Object.keys(secrets).length) return secrets;
  writeFileSync(path, JSON.stringify(secrets, null, 1), { mode: 0o600 });
  chmodSync(path, 0o600);
  return secrets;
}

function makeSecrets(): Secrets {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    authSecret: randomBytes(32).toString('base64url'),
    webhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
    custodyApiKey: `custody_${randomBytes(24).toString('base64url')}`,
    databasePassword: randomBytes(24).toString('base64url'),
    statementKey: {
      signs: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
      verifies: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    },
  };
}

/**
 * The ports of this state folder. A port named by the caller must be free. Others are those of the last time; one that
 * somebody else has taken since is replaced by a free one.
 *
 * @throws when a named port is taken, naming it
 */
export async function choosePorts(stateFolder: string, named: Partial<Ports>): Promise<Ports> {
  const path = join(stateFolder, 'ports.json');
  const kept: Partial<Ports> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const chosen: Partial<Ports> = {};
  const isOurs = (port: number) => Object.values(chosen).includes(port);
  for (const name of PORT_NAMES) {
    const wanted = named[name];
    if (wanted !== undefined) {
      if (!(await isFree(wanted)))
        throw new Error(`port ${wanted} for ${name} is taken; set ${PORT_VARIABLES[name]} to another`);
      chosen[name] = wanted;
      continue;
    }
    const last = kept[name];
    chosen[name] = last !== undefined && !isOurs(last) && (await isFree(last)) ? last : await findFreePort(isOurs);
  }
  const ports = chosen as Ports;
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, JSON.stringify(ports, null, 1));
  renameSync(`${path}.new`, path);
  return ports;
}

/** By which variable a port is named. */
const PORT_VARIABLES: Record<PortName, string> = {
  web: 'PORT',
  postgres: 'POSTGRES_PORT',
  custodyPostgres: 'CUSTODY_POSTGRES_PORT',
  redis: 'REDIS_PORT',
  chain: 'CHAIN_PORT',
  custody: 'CUSTODY_PORT',
  workerHealth: 'WORKER_HEALTH_PORT',
};

/** The ports that the environment names. @throws when one is no port */
export function readNamedPorts(env: NodeJS.ProcessEnv): Partial<Ports> {
  const named: Partial<Ports> = {};
  for (const name of PORT_NAMES) {
    const text = env[PORT_VARIABLES[name]];
    if (text === undefined || text === '') continue;
    const port = Number(text);
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new Error(`${PORT_VARIABLES[name]}=${text} is no port`);
    named[name] = port;
  }
  return named;
}

/** A port on which nobody listens. */
export async function findFreePort(isReserved: (port: number) => boolean = () => false): Promise<number> {
  const start = Math.floor(Math.random() * FREE_PORTS);
  for (let step = 0; step < FREE_PORTS; step += 1) {
    const port = FIRST_FREE_PORT + ((start + step) % FREE_PORTS);
    if (!isReserved(port) && (await isFree(port))) return port;
  }
  throw new Error('no port is free');
}

/** Free means that we could listen, on the loopback and everywhere, and that nobody does. */
async function isFree(port: number): Promise<boolean> {
  return (await canListen(port)) && !(await isPortOpen(port)) && !(await isPortOpen(port, '::1'));
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
