import type { Encoded } from './sandbox.ts';

/** An event as a chart sees it in `_event`. Fields that the recommendation leaves empty are null. */
export interface ChartEvent {
  readonly name: string;
  readonly type: 'platform' | 'internal' | 'external';
  readonly sendId: string | null;
  /** The address to answer to. */
  readonly origin: string | null;
  readonly originType: string | null;
  readonly invokeId: string | null;
  readonly data: Encoded;
}

export const SCXML_PROCESSOR = 'http://www.w3.org/TR/scxml/#SCXMLEventProcessor';

export const plainEvent = (name: string, type: ChartEvent['type'], data: Encoded): ChartEvent => ({
  name,
  type,
  sendId: null,
  origin: null,
  originType: null,
  invokeId: null,
  data,
});
