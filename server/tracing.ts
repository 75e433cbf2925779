import { randomBytes } from 'node:crypto';
import {
  context,
  ROOT_CONTEXT,
  type SpanAttributes,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { IdGenerator, SpanProcessor } from '@opentelemetry/sdk-trace-node';

/**
 * Traces that follow one withdrawal from the click to the chain. A trace's id is the withdrawal's own, so every process that has
 * the row has the trace: nothing is carried along, and a queue or a process that dies loses none of it. Off, each call here
 * is one comparison.
 */
let tracer: Tracer | null = null;

/** Switches tracing on in this process. @returns sends what is left, and switches it off */
export async function startTracing(input: { service: string; processor: SpanProcessor }): Promise<() => Promise<void>> {
  const [{ NodeTracerProvider }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/resources'),
  ]);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': input.service }),
    idGenerator: ids,
    spanProcessors: [input.processor],
  });
  provider.register();
  tracer = provider.getTracer('cryptoex');
  return async () => {
    tracer = null;
    await provider.shutdown();
  };
}

/** Sends the spans of this process to a collector, in batches, beside the work. @param input.endpoint the base URL of OTLP over HTTP */
export async function startTracingTo(input: { service: string; endpoint: string }): Promise<() => Promise<void>> {
  const [{ OTLPTraceExporter }, { BatchSpanProcessor }] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/sdk-trace-node'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${input.endpoint.replace(/\/$/, '')}/v1/traces` });
  return startTracing({ service: input.service, processor: new BatchSpanProcessor(exporter) });
}

/** Whether somebody listens: for what costs something to find out. */
export function isTracing(): boolean {
  return tracer !== null;
}

/** The first span of a withdrawal, written when it was accepted: from the click, by the page's clock where that is to be believed. */
export function traceClick(withdrawalId: string, input: { clickedAtMs: number | null; receivedAtMs: number }): void {
  if (tracer === null) return;
  const { clickedAtMs, receivedAtMs } = input;
  const ageMs = receivedAtMs - (clickedAtMs ?? receivedAtMs);
  ids.forced = { traceId: traceIdOf(withdrawalId), spanId: rootSpanIdOf(withdrawalId) };
  const startTime = ageMs >= 0 && ageMs < CLICK_AGE_MAX_MS ? receivedAtMs - ageMs : receivedAtMs;
  const attributes = { 'withdrawal.id': withdrawalId };
  const span = tracer.startSpan('withdrawal.click', { startTime, root: true, attributes }, ROOT_CONTEXT);
  ids.forced = null;
  span.end();
  traceStep('withdrawal.accept', withdrawalId, { startedAtMs: receivedAtMs });
}

/** A step that has ended by now. Without a beginning it took no time worth telling. */
export function traceStep(
  name: string,
  withdrawalId: string,
  more: { startedAtMs?: number; attributes?: SpanAttributes } = {},
): void {
  if (tracer === null) return;
  const startTime = more.startedAtMs ?? Date.now();
  const attributes = { 'withdrawal.id': withdrawalId, ...more.attributes };
  tracer.startSpan(name, { startTime, attributes }, parentOf(withdrawalId)).end();
}

/** Does a step of a withdrawal inside a span; what is traced within it becomes its child. `note` tells what came of it. */
export async function traced<Result>(
  name: string,
  withdrawalId: string,
  work: () => Promise<Result>,
  note: (result: Result) => SpanAttributes = () => ({}),
): Promise<Result> {
  if (tracer === null) return await work();
  const parent = parentOf(withdrawalId);
  const span = tracer.startSpan(name, { attributes: { 'withdrawal.id': withdrawalId } }, parent);
  try {
    const result = await context.with(trace.setSpan(parent, span), work);
    span.setAttributes(note(result));
    return result;
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'unknown' });
    throw error;
  } finally {
    span.end();
  }
}

/** By W3C Trace Context, for a call that another company's spans may join; nothing where nobody listens, or outside a span. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const span = tracer === null ? undefined : trace.getSpanContext(context.active());
  return span === undefined ? {} : { traceparent: `00-${span.traceId}-${span.spanId}-01` };
}

/** The trace of a withdrawal: its UUID without the hyphens. */
export function traceIdOf(withdrawalId: string): string {
  return withdrawalId.replaceAll('-', '').toLowerCase();
}

// A page that was left open over night, or a clock that is wrong, would stretch the trace beyond reading.
const CLICK_AGE_MAX_MS = 60_000;

/** The random half of the UUID. Its variant bits keep it from being zero, which no span may be. */
function rootSpanIdOf(withdrawalId: string): string {
  return traceIdOf(withdrawalId).slice(16);
}

function parentOf(withdrawalId: string) {
  const active = context.active();
  const traceId = traceIdOf(withdrawalId);
  if (trace.getSpanContext(active)?.traceId === traceId) return active;
  const spanId = rootSpanIdOf(withdrawalId);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true });
}

/** Random ids, but for the one span of a withdrawal that every other must find. */
const ids: IdGenerator & { forced: { traceId: string; spanId: string } | null } = {
  forced: null,
  generateTraceId: () => ids.forced?.traceId ?? randomBytes(16).toString('hex'),
  generateSpanId: () => ids.forced?.spanId ?? randomBytes(8).toString('hex'),
};
