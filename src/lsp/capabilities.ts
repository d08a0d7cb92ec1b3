// What the server can do, as it tells its client.

import { VERSION } from '../base/version.ts';
import { TOKEN_MODIFIERS, TOKEN_TYPES } from '../service/semantic.ts';
import { COMMANDS } from './protocol.ts';

export const INITIALIZE_RESULT = {
  serverInfo: { name: 'spillway', version: VERSION },
  capabilities: {
    positionEncoding: 'utf-16',
    textDocumentSync: { openClose: true, change: 2, save: { includeText: false } },
    hoverProvider: true,
    definitionProvider: true,
    declarationProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    documentSymbolProvider: true,
    workspaceSymbolProvider: true,
    renameProvider: { prepareProvider: true },
    completionProvider: { triggerCharacters: ['.', '@', '#'] },
    signatureHelpProvider: { triggerCharacters: ['(', ','] },
    foldingRangeProvider: true,
    codeActionProvider: { codeActionKinds: ['quickfix', 'refactor.rewrite'] },
    codeLensProvider: { resolveProvider: false },
    inlayHintProvider: true,
    documentFormattingProvider: true,
    documentRangeFormattingProvider: true,
    semanticTokensProvider: {
      legend: { tokenTypes: TOKEN_TYPES, tokenModifiers: TOKEN_MODIFIERS },
      full: true,
    },
    executeCommandProvider: { commands: Object.values(COMMANDS) },
    workspace: { workspaceFolders: { supported: true } },
  },
} as const;
