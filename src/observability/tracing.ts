import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type * as OpenTelemetry from '@opentelemetry/api';
import type { RequestObserver } from '../common/http/request-observer.js';
import type { ServiceRequest } from '../common/http/request.js';
import { Config } from '../config/index.js';
import { formatTraceParent, parseTraceParent } from './trace-parent.js';

interface Tracer {
  api: typeof OpenTelemetry;
  tracer: OpenTelemetry.Tracer;
  shutdown(): Promise<void>;
}

/** A finished piece of background work. */
export interface FinishedWork {
  name: string;
  startedAt: Date;
  durationMs: number;
  failed: boolean;
  attributes: Record<string, string | number>;
  /** W3C Trace Context of the request that caused it. */
  causedBy: string | null;
}

const EXPORT_TIMEOUT_MS = 2_000;

/** OpenTelemetry tracing, loaded only if OTEL_EXPORTER_OTLP_ENDPOINT is set. */
@Injectable()
export class Tracing implements RequestObserver, OnApplicationShutdown {
  private running: Tracer | null = null;
  private readonly spans = new WeakMap<ServiceRequest, OpenTelemetry.Span>();

  constructor(private readonly config: Config) {}

  get isOn(): boolean {
    return this.running !== null;
  }

  async start(): Promise<void> {
    const endpoint = this.config.get('OTEL_EXPORTER_OTLP_ENDPOINT');
    if (!endpoint || this.running) return;
    const [api, sdk, { resourceFromAttributes }, { OTLPTraceExporter }] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
    const exporter = new OTLPTraceExporter({
      url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
      headers: this.config.get('OTEL_EXPORTER_OTLP_HEADERS'),
      timeoutMillis: EXPORT_TIMEOUT_MS,
    });
    const root = new sdk.TraceIdRatioBasedSampler(this.config.get('OTEL_TRACES_SAMPLER_ARG'));
    const provider = new sdk.TracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'gatehouse', 'gatehouse.role': this.config.get('ROLE') }),
      sampler: new sdk.ParentBasedSampler({ root }),
      spanProcessors: [new sdk.BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_TIMEOUT_MS })],
    });
    this.running = { api, tracer: provider.getTracer('gatehouse'), shutdown: () => provider.shutdown() };
  }

  received(request: ServiceRequest): void {
    if (!this.running) return;
    const { api, tracer } = this.running;
    const options = { kind: api.SpanKind.SERVER, attributes: { 'http.request.method': request.method } };
    const span = tracer.startSpan(request.method, options, this.contextOf(request.headers['traceparent']));
    this.spans.set(request, span);
    request.traceParent = formatTraceParent(span.spanContext());
  }

  answered(request: ServiceRequest, status: number): void {
    const span = this.spans.get(request);
    if (!this.running || !span) return;
    if (request.operationId) span.updateName(request.operationId);
    span.setAttributes({ 'http.response.status_code': status, 'gatehouse.request_id': request.requestId });
    if (status >= 500) span.setStatus({ code: this.running.api.SpanStatusCode.ERROR });
    span.end();
  }

  /** Records a span in its own trace, linked to the request that caused the work, which may be days old. */
  finished({ name, startedAt, durationMs, failed, attributes, causedBy }: FinishedWork): void {
    if (!this.running) return;
    const { api, tracer } = this.running;
    const cause = parseTraceParent(causedBy);
    const links = cause ? [{ context: { ...cause, isRemote: true } }] : [];
    const options = { kind: api.SpanKind.CLIENT, startTime: startedAt, attributes, links, root: true };
    const span = tracer.startSpan(name, options);
    if (failed) span.setStatus({ code: api.SpanStatusCode.ERROR });
    span.end(startedAt.getTime() + durationMs);
  }

  /** Flushes pending spans, unless the collector is down. */
  async onApplicationShutdown(): Promise<void> {
    const { running } = this;
    this.running = null;
    await Promise.race([
      running?.shutdown().catch(() => undefined),
      sleep(EXPORT_TIMEOUT_MS, undefined, { ref: false }),
    ]);
  }

  private contextOf(header: unknown): OpenTelemetry.Context {
    const { ROOT_CONTEXT, trace } = this.running!.api;
    const parent = parseTraceParent(header);
    return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
  }
}
