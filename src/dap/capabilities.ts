// What the adapter says it can do.

export const CAPABILITIES = {
  supportsConfigurationDoneRequest: true,
  supportsStepBack: true,
  supportsRestartRequest: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsFunctionBreakpoints: true,
  supportsDataBreakpoints: true,
  supportsEvaluateForHovers: true,
  supportsStepInTargetsRequest: true,
  supportsGotoTargetsRequest: true,
  supportsExceptionInfoRequest: true,
  supportsBreakpointLocationsRequest: true,
  supportsLoadedSourcesRequest: true,
  supportsCompletionsRequest: true,
  supportsTerminateRequest: true,
  supportsClipboardContext: true,
  supportsDelayedStackTraceLoading: false,
  supportTerminateDebuggee: false,
  exceptionBreakpointFilters: [],
} as const;
