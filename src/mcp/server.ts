// `spillway mcp`: the Model Context Protocol over standard input and output, one JSON-RPC message a line. Written by hand: docs/decisions/servers.md.

import { VERSION } from '../base/version.ts';
import { type ChannelEnd, openChannel, type Streams } from '../wire/channel.ts';
import { LINES } from '../wire/framing.ts';
import { RPC_ERRORS, type RpcCall, RpcError, RpcPeer } from '../wire/json-rpc.ts';
import { listResources, RESOURCE_TEMPLATES, readResource } from './resources.ts';
import { Call, Refusal } from './schema.ts';
import type { Tool, ToolAnswer } from './tool.ts';
import { bounds, check } from './tool-check.ts';
import { audit, convert, docs, explain, models } from './tool-others.ts';
import { replay, showRun, simulate } from './tool-runs.ts';
import { type McpHost, Workspace } from './workspace.ts';

export const TOOLS: readonly Tool[] = [
  check,
  showRun,
  replay,
  simulate,
  bounds,
  audit,
  convert,
  models,
  explain,
  docs,
];

/** Newest first; a client that asks for another one is offered the first. */
const PROTOCOLS = ['2025-06-18', '2025-03-26', '2024-11-05'];
/** Since then results may carry data and links beside their text. */
const STRUCTURED = '2025-06-18';
const NOT_FOUND = -32002;

const INSTRUCTIONS = `Spillway verifies message-passing systems: Promela models (.pml), communicating machines, structures, statecharts, nets, C.
Work like this: check the model; read the diagnostics or the run of what is refuted (show_run); change the model (or try the change with "text"); replay the old run on it; check again until everything is proved.
"unknown" is not a proof: explain says what can be done. docs has the languages' constructs and the options.`;

type Params = Readonly<Record<string, unknown>>;

export async function serveMcp(streams: Streams, host: McpHost): Promise<ChannelEnd> {
  const server = new McpServer(host);
  const peer: RpcPeer = new RpcPeer(openChannel(streams, LINES), {
    request: (method, params, call) => server.request(method, paramsOf(params), call, peer),
    notification: (method, params) => {
      const { requestId } = paramsOf(params);
      if (
        method === 'notifications/cancelled' &&
        (typeof requestId === 'string' || typeof requestId === 'number')
      )
        peer.cancel(requestId);
    },
  });
  return peer.serve();
}

const paramsOf = (params: unknown): Params =>
  typeof params === 'object' && params !== null ? (params as Params) : {};

class McpServer {
  private readonly workspace: Workspace;
  private protocol = PROTOCOLS[0]!;

  constructor(host: McpHost) {
    this.workspace = new Workspace(host);
  }

  request(method: string, params: Params, call: RpcCall, peer: RpcPeer): unknown {
    switch (method) {
      case 'initialize':
        return this.initialize(params);
      case 'ping':
        return {};
      case 'tools/list':
        return { tools: TOOLS.map(described) };
      case 'tools/call':
        return this.call(params, call, peer);
      case 'resources/list':
        return { resources: listResources(this.workspace) };
      case 'resources/templates/list':
        return { resourceTemplates: RESOURCE_TEMPLATES };
      case 'resources/read':
        return this.read(params);
      default:
        throw new RpcError(RPC_ERRORS.methodNotFound, `there is no method '${method}'`);
    }
  }

  private initialize({ protocolVersion }: Params): unknown {
    this.protocol = PROTOCOLS.find((one) => one === protocolVersion) ?? PROTOCOLS[0]!;
    return {
      protocolVersion: this.protocol,
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'spillway', title: 'Spillway', version: VERSION },
      instructions: INSTRUCTIONS,
    };
  }

  private async call(
    { name, arguments: args, _meta }: Params,
    { signal }: RpcCall,
    peer: RpcPeer,
  ): Promise<unknown> {
    const tool = TOOLS.find((one) => one.name === name);
    if (tool === undefined)
      throw new RpcError(
        RPC_ERRORS.invalidParams,
        `there is no tool '${String(name)}'; there are ${TOOLS.map((one) => one.name).join(', ')}`,
      );
    const { progressToken } = paramsOf(_meta);
    const progress = (done: number, total: number, message: string): void => {
      if (progressToken !== undefined)
        peer.notify('notifications/progress', { progressToken, progress: done, total, message });
    };
    try {
      return this.result(
        await tool.run(new Call(tool.schema, args ?? {}), this.workspace, { signal, progress }),
      );
    } catch (error) {
      // What was asked for is answered in words that the agent reads; only a bug is an error of the protocol.
      if (isRefusal(error)) return this.result({ text: error.message, failed: true });
      throw error;
    }
  }

  private result({ text, data, links = [], failed }: ToolAnswer): unknown {
    const isNew = this.protocol >= STRUCTURED;
    const linked = isNew ? links.map((link) => ({ type: 'resource_link', ...link })) : [];
    return {
      content: [{ type: 'text', text }, ...linked],
      ...(isNew && data !== undefined ? { structuredContent: data } : {}),
      isError: failed === true,
    };
  }

  private async read({ uri }: Params): Promise<unknown> {
    try {
      const resource = await readResource(this.workspace, String(uri));
      return { contents: [{ uri, ...resource }] };
    } catch (error) {
      if (isRefusal(error)) throw new RpcError(NOT_FOUND, error.message, { uri });
      throw error;
    }
  }
}

const isRefusal = (error: unknown): error is Refusal => error instanceof Refusal;

const described = ({ name, title, description, schema }: Tool): unknown => ({
  name,
  title,
  description,
  inputSchema: schema,
  annotations: {
    title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
});
