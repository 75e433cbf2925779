import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { explore, type Verdict } from './explore.ts';
import { PROMISES } from './find-violation.ts';
import { namesOfAllMoves } from './legal-moves.ts';
import { SAFE_VARIANTS } from './safe-variants.ts';
import { settingOf, type Variant } from './variant.ts';
import { LIMIT_VARIANTS, WEAKENED_VARIANTS } from './weakened-variants.ts';

/** Fewer states than this over the safe variants would mean that somebody made the worlds too tame. */
const SAFE_STATES_MIN = 400_000;

export interface VariantResult {
  readonly name: string;
  readonly why: string;
  readonly expects: Variant['expects'];
  readonly verdict: Verdict;
  readonly asExpected: boolean;
  readonly durationMs: number;
}

export interface ModelResult {
  readonly passed: boolean;
  readonly safeStates: number;
  readonly safeVariants: number;
  readonly counterexamples: number;
  /** Moves of the status diagram that no safe variant made; must be empty. */
  readonly movesNeverMade: readonly string[];
  readonly memoryMaxMiB: number;
  readonly durationMs: number;
  readonly summary: string;
  readonly results: readonly VariantResult[];
}

/** Explores every variant; `report` hears of each as soon as it is done. */
export function runModel(report: (result: VariantResult) => void = () => {}): ModelResult {
  const startedAt = performance.now();
  const results: VariantResult[] = [];
  for (const variant of [...WEAKENED_VARIANTS, ...LIMIT_VARIANTS, ...SAFE_VARIANTS]) {
    const result = runVariant(variant);
    results.push(result);
    report(result);
  }
  const safe = results.filter((result) => result.expects === 'safe');
  const safeStates = safe.reduce((sum, result) => sum + result.verdict.states, 0);
  const counterexamples = results.filter((result) => result.expects !== 'safe' && result.asExpected).length;
  const made = new Set(safe.flatMap(({ verdict }) => (verdict.kind === 'safe' ? [...verdict.moves] : [])));
  const movesNeverMade = namesOfAllMoves().filter((move) => !made.has(move));
  return {
    passed:
      results.every((result) => result.asExpected) && safeStates >= SAFE_STATES_MIN && movesNeverMade.length === 0,
    movesNeverMade,
    safeStates,
    safeVariants: safe.length,
    counterexamples,
    memoryMaxMiB: Math.round(process.resourceUsage().maxRSS / 1024),
    durationMs: Math.round(performance.now() - startedAt),
    summary: `model: ${safeStates} states, ${safe.length} safe variants, ${counterexamples} counterexamples as expected`,
    results,
  };
}

/** Explores one variant and compares the verdict with what its row in the table expects. */
export function runVariant(variant: Variant): VariantResult {
  const startedAt = performance.now();
  const verdict = explore(settingOf(variant));
  const { name, why, expects } = variant;
  return {
    name,
    why,
    expects,
    verdict,
    asExpected: isAsExpected(verdict, expects),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

function isAsExpected(verdict: Verdict, expects: Variant['expects']): boolean {
  if (expects === 'safe') return verdict.kind === 'safe';
  return verdict.kind === 'broken' && expects.includes(verdict.promise);
}

function formatRow(result: VariantResult): string {
  const { verdict, expects } = result;
  const found = verdict.kind === 'broken' ? verdict.promise : verdict.kind;
  const cells = [
    result.asExpected ? 'ok  ' : 'FAIL',
    result.name.padEnd(52),
    (expects === 'safe' ? 'safe' : expects.join(' or ')).padEnd(34),
    String(verdict.states).padStart(8),
    found.padEnd(20),
    `${result.durationMs} ms`.padStart(9),
  ];
  return cells.join('  ');
}

function formatCounterexample(verdict: Verdict): string {
  if (verdict.kind !== 'broken') return '';
  const steps = verdict.path.map((words, at) => `      ${String(at + 1).padStart(2)}  ${words}`);
  return [`      ${PROMISES[verdict.promise]}:`, ...steps].join('\n');
}

function setsAsLists(_name: string, value: unknown): unknown {
  return value instanceof Set ? [...value] : value;
}

function main(): void {
  const words = process.argv.slice(2);
  const jsonAt = words.indexOf('--json');
  const jsonFile = jsonAt === -1 ? undefined : words[jsonAt + 1];
  const showsAll = words.includes('--counterexamples');
  console.log(`      ${'variant'.padEnd(52)}  ${'expected'.padEnd(34)}    states  found`);
  const model = runModel((result) => {
    console.log(formatRow(result));
    if (result.verdict.kind === 'broken' && (showsAll || !result.asExpected)) {
      console.log(`      ${result.why}\n${formatCounterexample(result.verdict)}`);
    }
  });
  if (jsonFile !== undefined) writeFileSync(jsonFile, `${JSON.stringify(model, setsAsLists, 2)}\n`);
  if (model.safeStates < SAFE_STATES_MIN) console.log(`Too few states: ${model.safeStates} of ${SAFE_STATES_MIN}.`);
  if (model.movesNeverMade.length > 0) console.log(`Never made: ${model.movesNeverMade.join(', ')}.`);
  console.log(`${model.durationMs} ms, ${model.memoryMaxMiB} MiB at most`);
  console.log(model.summary);
  if (!model.passed) process.exitCode = 1;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) main();
