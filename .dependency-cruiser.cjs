// The import map of docs/architecture.md as rules: data goes round, imports only go down. Type-only imports count too.
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const TEST = '\\.(integration\\.)?test\\.tsx?$|\\.spec\\.ts$|\\.bench\\.ts$|[./]test-support[./]';

// Where the product begins: its processes, and the files that Next finds by their names.
const BEGINNINGS = [
  '^(server/web|worker/main|prisma/(migrate|seed|set-role)|mock-custody/(main|contracts/deploy))\\.ts$',
  '^app/.*/(page|layout|error|not-found)\\.tsx$',
  '^app/(page|layout|error|not-found|global-error)\\.tsx$',
];

// Index = layer. A file may import its own layer and those below it.
const LAYERS = [
  { name: 'ground', path: '^server/(env|protocol-times|logger|metrics|tracing|fault-points)\\.ts$' },
  {
    name: 'tools',
    path: '^server/(db|sql|queue|custody|auth)/|^server/chain/(chain-(port|rpc-client|wire)|simulated-(chain-client|wire))\\.ts$',
  },
  { name: 'books', path: '^server/(ledger|outbox|audit|switches|limits|prices|customers)/' },
  { name: 'deeds', path: '^server/(withdrawals|approvals|addresses|deposits)/' },
  {
    name: 'facts',
    path: '^server/(inbox|reconciliation|notifications|operator)/|^server/chain/(?!(chain-(port|rpc-client|wire)|simulated-(chain-client|wire))\\.ts)',
  },
  { name: 'dependencies', path: '^server/dependencies\\.ts$' },
  { name: 'doors', path: '^server/(api/|web\\.ts$)|^worker/(?!main\\.ts$)' },
  { name: 'arrangement', path: '^app/|^worker/main\\.ts$' },
];

const layersPointDown = LAYERS.slice(0, -1).map((layer, index) => ({
  name: `layer-${index}-${layer.name}-points-down`,
  severity: 'error',
  comment: `${layer.name} may not know what stands above it`,
  from: { path: layer.path, pathNot: TEST },
  to: { path: LAYERS.slice(index + 1).map((above) => above.path) },
}));

/** Files of `app` that say 'use client', as one pattern each: what the browser downloads. */
function browserFiles(folder = 'app') {
  if (!existsSync(join(__dirname, folder))) return [];
  return readdirSync(join(__dirname, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return browserFiles(path);
    if (!/\.tsx?$/.test(path) || !/^\s*['"]use client['"]/m.test(readFileSync(join(__dirname, path), 'utf8')))
      return [];
    return [`^${path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`];
  });
}

const BROWSER = [...browserFiles(), '^app/.*_components/'];

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'every-import-resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'domain-is-pure',
      severity: 'error',
      comment: 'nouns only: no clock, no chance, no framework; the address codecs are the one exception',
      from: { path: '^server/domain/', pathNot: TEST },
      to: { pathNot: '^server/domain/|node_modules/(@noble|@scure|ripple-address-codec)/' },
    },
    ...layersPointDown,
    {
      name: 'server-knows-only-itself',
      severity: 'error',
      from: { path: '^server/', pathNot: TEST },
      to: { path: '^(app|worker|prisma|stack|e2e|bench|mock-custody)/' },
    },
    {
      name: 'only-server-custody-speaks-to-custody',
      severity: 'error',
      comment: 'everybody else sees the port; dependencies.ts builds the adapter',
      from: { path: '^(app|server|worker|prisma)/', pathNot: `^server/custody/|^server/dependencies\\.ts$|${TEST}` },
      to: { path: '^server/custody/custody-(http-client|wire)' },
    },
    {
      name: 'one-writer-of-status',
      severity: 'error',
      from: { pathNot: `^server/withdrawals/record-transition\\.ts$|^server/sql/|${TEST}` },
      to: { path: '^server/sql/.*-transition\\.sql\\.ts$' },
    },
    {
      name: 'worker-never-imports-the-api',
      severity: 'error',
      from: { path: '^worker/' },
      to: { path: '^server/(api/|web\\.ts$)' },
    },
    { name: 'app-never-imports-the-worker', severity: 'error', from: { path: '^app/' }, to: { path: '^worker/' } },
    {
      name: 'custody-is-a-stranger-to-us',
      severity: 'error',
      comment: "another company's server: HTTP only, no shared code",
      from: { path: '^mock-custody/' },
      to: { path: '^(app|server|worker|prisma|stack|e2e|bench)/' },
    },
    {
      name: 'we-are-strangers-to-custody',
      severity: 'error',
      from: { path: '^(app|server|worker|prisma|stack|e2e|bench)/' },
      to: { path: '^mock-custody/' },
    },
    {
      name: 'browser-sees-only-the-domain',
      severity: 'error',
      comment: 'what a browser downloads may use #domain/* and the *type* of the router',
      from: { path: BROWSER, pathNot: TEST },
      to: { path: '^(server/(?!domain/)|worker/|prisma/|stack/)', pathNot: '^server/api/root\\.ts$' },
    },
    {
      name: 'browser-sees-only-the-type-of-the-router',
      severity: 'error',
      from: { path: BROWSER, pathNot: TEST },
      to: { path: '^server/api/root\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'product-never-imports-its-scaffold',
      severity: 'error',
      from: { path: '^(app|server|worker|prisma)/', pathNot: TEST },
      to: { path: '^(stack|e2e|bench)/' },
    },
    {
      name: 'product-is-used-by-the-product',
      severity: 'error',
      comment: 'a module that only tests import is proved right and does nothing',
      from: { path: BEGINNINGS },
      to: {
        path: '^(app|server|worker|mock-custody)/',
        pathNot: [TEST, '^server/db/test-database\\.ts$', ...BEGINNINGS],
        reachable: false,
      },
    },
    { name: 'nothing-imports-tests', severity: 'error', from: { pathNot: TEST }, to: { path: TEST } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules|^server/db/generated' },
    exclude: { path: '^\\.(next|build|state)' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json'],
    },
  },
};
