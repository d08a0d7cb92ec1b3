// The extension: starts `spillway lsp` and `spillway dap`, and shows what they find. Everything it knows comes from the two servers.

const vscode = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

const LANGUAGES = ['promela', 'lks', 'ecfsm'];
/** Files of other languages that the server understands, too. */
const PATTERNS = ['**/*.{spec,scxml,aut,pnml}'];

let client = null;
let panel = null;

/** How Spillway is started: the program and its first words. */
function command() {
  const words = vscode.workspace.getConfiguration('spillway').get('command');
  return Array.isArray(words) && words.length > 0 ? words : ['npx', 'spillway'];
}

function settings() {
  const all = vscode.workspace.getConfiguration('spillway');
  return Object.fromEntries(['check', 'timeout', 'defines', 'includes'].map((key) => [key, all.get(key)]));
}

/** The server names the commands behind its lenses; here they are the extension's own. */
class Client extends LanguageClient {
  registerFeature(feature) {
    const method = feature.registrationType?.method;
    if (method !== 'workspace/executeCommand') super.registerFeature(feature);
  }
}

async function start(context) {
  const [program, ...words] = command();
  const server = { command: program, args: [...words, 'lsp'], transport: TransportKind.stdio };
  client = new Client('spillway', 'Spillway', server, {
    documentSelector: [
      ...LANGUAGES.map((language) => ({ scheme: 'file', language })),
      ...LANGUAGES.map((language) => ({ scheme: 'untitled', language })),
      ...PATTERNS.map((pattern) => ({ scheme: 'file', pattern })),
    ],
    initializationOptions: { ...settings(), debugger: true },
    synchronize: {
      configurationSection: 'spillway',
      fileEvents: vscode.workspace.createFileSystemWatcher('**/*.{pml,h,inc,lks,ecfsm,spec,c,scxml}'),
    },
  });
  await client.start();
  context.subscriptions.push({ dispose: () => client?.stop() });
}

/** The model a command is about: the one it names, or the one in front. */
const uriOf = (given) => (typeof given === 'string' ? given : vscode.window.activeTextEditor?.document.uri.toString());

async function check(given) {
  const uri = uriOf(given);
  if (uri === undefined || client === null) return;
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: 'Spillway checks the model' },
    () => client.sendRequest('workspace/executeCommand', { command: 'spillway.check', arguments: [uri] }),
  );
}

async function showRun(given, property) {
  const uri = uriOf(given);
  const text = await client?.sendRequest('spillway/run', { uri, property });
  if (typeof text !== 'string') {
    vscode.window.showInformationMessage('Spillway knows no run against this model: check it first.');
    return;
  }
  const document = await vscode.workspace.openTextDocument({ content: text, language: 'plaintext' });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

async function debugRun(given, property) {
  const uri = uriOf(given);
  if (uri === undefined) return;
  const program = vscode.Uri.parse(uri).fsPath;
  await vscode.debug.startDebugging(undefined, {
    type: 'spillway',
    request: 'launch',
    name: 'Counterexample',
    program,
    mode: 'counterexample',
    ...(typeof property === 'string' ? { property } : {}),
  });
}

async function openReport(given) {
  const uri = uriOf(given);
  const page = await client?.sendRequest('spillway/report', { uri });
  if (typeof page !== 'string') {
    vscode.window.showInformationMessage('There is no report of this model yet: check it first.');
    return;
  }
  panel ??= vscode.window.createWebviewPanel('spillway.report', 'Spillway', vscode.ViewColumn.Beside, {
    enableScripts: true,
  });
  panel.onDidDispose(() => {
    panel = null;
  });
  panel.webview.html = page;
  panel.reveal();
}

/** In a terminal, where its exit code and its words can be seen. */
async function audit(given) {
  const uri = uriOf(given);
  const chosen = await vscode.window.showOpenDialog({ title: 'Which certificate?', filters: { Certificates: ['json'] } });
  if (uri === undefined || chosen === undefined) return;
  const [program, ...words] = command();
  const execution = new vscode.ProcessExecution(program, [
    ...words,
    'audit',
    chosen[0].fsPath,
    vscode.Uri.parse(uri).fsPath,
  ]);
  const task = new vscode.Task({ type: 'process' }, vscode.TaskScope.Workspace, 'audit', 'spillway', execution, '$spillway');
  await vscode.tasks.executeTask(task);
}

async function restart(context) {
  await client?.stop();
  await start(context);
}

async function activate(context) {
  const commands = {
    'spillway.check': check,
    'spillway.showRun': showRun,
    'spillway.debugRun': debugRun,
    'spillway.openReport': openReport,
    'spillway.audit': audit,
    'spillway.restart': () => restart(context),
  };
  for (const [name, run] of Object.entries(commands))
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('spillway', {
      createDebugAdapterDescriptor: () => {
        const [program, ...words] = command();
        return new vscode.DebugAdapterExecutable(program, [...words, 'dap']);
      },
    }),
  );
  try {
    await start(context);
  } catch (error) {
    vscode.window.showErrorMessage(
      `Spillway does not start (${command().join(' ')} lsp): ${error instanceof Error ? error.message : error}. The setting spillway.command says how it is started.`,
    );
  }
}

const deactivate = () => client?.stop();

module.exports = { activate, deactivate };
