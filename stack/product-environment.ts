import { DEPLOYER_KEY, HOT_WALLET_KEY } from './demo-keys.ts';
import type { TokenAddresses } from './deploy-tokens.ts';
import type { ProductRole } from './product-processes.ts';
import type { ServiceUrls } from './start-services.ts';
import type { Ports, Secrets } from './state-folder.ts';

export type Environment = Record<string, string>;

type World = {
  urls: ServiceUrls;
  ports: Ports;
  secrets: Secrets;
  tokens: TokenAddresses;
  nextDistDir: string;
  /** Where web orders workers to be killed and started. */
  lab: { url: string; token: string };
};

/** The names that a process of the product reads, and nothing that another one owns. */
export function productEnvironment(role: ProductRole | 'seed', world: World): Environment {
  switch (role) {
    case 'web':
      return {
        ...ours(world),
        PORT: String(world.ports.web),
        CUSTODY_STATEMENT_KEYS: world.secrets.statementKey.verifies,
        NEXT_DIST_DIR: world.nextDistDir,
        NEXT_TELEMETRY_DISABLED: '1',
        LAB_CONTROL_URL: world.lab.url,
        LAB_CONTROL_TOKEN: world.lab.token,
      };
    case 'worker':
      return { ...ours(world), WORKER_HEALTH_PORT: String(world.ports.workerHealth) };
    case 'seed':
      return { ...ours(world), DEMO_DEPLOYER_KEY: DEPLOYER_KEY };
    case 'custody':
      return custodys(world);
  }
}

export function publicUrl(ports: Ports): string {
  return `http://localhost:${ports.web}`;
}

export function custodyUrl(ports: Ports): string {
  return `http://127.0.0.1:${ports.custody}`;
}

function ours({ urls, ports, secrets, tokens }: World): Environment {
  return {
    DATABASE_URL: urls.database,
    REDIS_URL: urls.redis,
    CHAIN_RPC_URL: urls.chain,
    SIMULATED_CHAINS_URL: custodyUrl(ports),
    CUSTODY_URL: custodyUrl(ports),
    CUSTODY_API_KEY: secrets.custodyApiKey,
    CUSTODY_WEBHOOK_SECRET: secrets.webhookSecret,
    PUBLIC_URL: publicUrl(ports),
    AUTH_SECRET: secrets.authSecret,
    DEMO_MODE: '1',
    USDC_CONTRACT: tokens.usdc,
    USDT_CONTRACT: tokens.usdt,
  };
}

function custodys({ urls, ports, secrets, tokens }: World): Environment {
  return {
    CUSTODY_PORT: String(ports.custody),
    CUSTODY_DATABASE_URL: urls.custodyDatabase,
    CHAIN_RPC_URL: urls.chain,
    CUSTODY_API_KEY: secrets.custodyApiKey,
    CUSTODY_WEBHOOK_URL: `${publicUrl(ports)}/api/webhooks/custody`,
    CUSTODY_WEBHOOK_SECRET: secrets.webhookSecret,
    CUSTODY_STATEMENT_KEY: secrets.statementKey.signs,
    CUSTODY_HOT_WALLET_KEY: HOT_WALLET_KEY,
    USDC_CONTRACT: tokens.usdc,
    USDT_CONTRACT: tokens.usdt,
  };
}
