import { describe, expect, it } from '@jest/globals';
import { formatTraceParent, parseTraceParent } from './trace-parent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('a traceparent header', () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, 1],
    [`00-${TRACE}-${SPAN}-00`, 0],
    [`00-${TRACE}-${SPAN}-03`, 1],
    [`cc-${TRACE}-${SPAN}-01-what-the-future-says`, 1],
  ])('%s is understood', (text, traceFlags) => {
    const parent = { traceId: TRACE, spanId: SPAN, traceFlags };
    expect(parseTraceParent(text)).toEqual(parent);
    expect(parseTraceParent(formatTraceParent(parent))).toEqual(parent);
  });

  it.each([
    undefined,
    ['a', 'b'],
    '',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-1`,
    `cc-${TRACE}-${SPAN}-01-${'a'.repeat(600)}`,
  ])('%p is taken for none', (text) => {
    expect(parseTraceParent(text)).toBeNull();
  });
});
