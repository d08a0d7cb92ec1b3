// Shell completion, generated from the table of verbs and their options so that it cannot go stale.

import type { Verb } from '../verb.ts';
import { UsageError } from '../verb.ts';
import { VERBS } from '../verbs.ts';

export const completion: Verb = {
  name: 'completion',
  summary: 'a script that completes verbs and options in your shell',
  help: `usage: spillway completion bash|zsh|fish

examples:
  spillway completion bash > ~/.local/share/bash-completion/completions/spillway
  spillway completion zsh > "\${fpath[1]}/_spillway"
  spillway completion fish > ~/.config/fish/completions/spillway.fish
`,
  options: {},
  run: async (args, io) => {
    const verbs = await Promise.all(
      VERBS.map(async (entry) => {
        const verb = await entry.load();
        const help = { name: '--help', takesValue: false, choices: [] };
        const options = Object.entries(verb.options).map(([name, { takes, choices }]) => ({
          name: `--${name}`,
          takesValue: takes !== 'nothing',
          choices: choices ?? [],
        }));
        return { name: entry.name, summary: entry.summary, options: [...options, help] };
      }),
    );
    switch (args.positional[0]) {
      case 'bash':
        io.out(bash(verbs));
        return 0;
      case 'zsh':
        io.out(zsh(verbs));
        return 0;
      case 'fish':
        io.out(fish(verbs));
        return 0;
      default:
        throw new UsageError('which shell? bash, zsh or fish');
    }
  },
};

interface VerbWords {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionWords[];
}

interface OptionWords {
  readonly name: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

const names = (verb: VerbWords): string => verb.options.map(({ name }) => name).join(' ');

/** One line for each option with known values: `check --format`. */
const choiceCases = (verbs: readonly VerbWords[], line: (choices: string) => string): string =>
  verbs
    .flatMap((verb) =>
      verb.options
        .filter(({ choices }) => choices.length > 0)
        .map(({ name, choices }) => `    '${verb.name} ${name}') ${line(choices.join(' '))} ;;`),
    )
    .join('\n');

function bash(verbs: readonly VerbWords[]): string {
  return `# bash completion for spillway
_spillway() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${verbs.map((verb) => verb.name).join(' ')}" -- "$word"))
    return
  fi
  local choices=""
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${choiceCases(verbs, (choices) => `choices="${choices}"`)}
  esac
  if [ -n "$choices" ]; then
    COMPREPLY=($(compgen -W "$choices" -- "$word"))
    return
  fi
  local options=""
  case "\${COMP_WORDS[1]}" in
${verbs.map((verb) => `    ${verb.name}) options="${names(verb)}" ;;`).join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _spillway spillway
`;
}

function zsh(verbs: readonly VerbWords[]): string {
  const quote = (text: string): string => text.replaceAll("'", "'\\''").replaceAll(':', '\\:');
  return `#compdef spillway
_spillway() {
  local -a verbs
  verbs=(
${verbs.map((verb) => `    '${verb.name}:${quote(verb.summary)}'`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'verb' verbs
    return
  fi
  case "\${words[2]} \${words[CURRENT-1]}" in
${choiceCases(verbs, (choices) => `compadd -- ${choices}; return`)}
  esac
  case "\${words[2]}" in
${verbs.map((verb) => `    ${verb.name}) compadd -- ${names(verb)} ;;`).join('\n')}
  esac
  _files
}
_spillway "$@"
`;
}

function fish(verbs: readonly VerbWords[]): string {
  const quote = (text: string): string => text.replaceAll("'", "\\'");
  const lines = verbs.flatMap((verb) => [
    `complete -c spillway -n __fish_use_subcommand -a ${verb.name} -d '${quote(verb.summary)}'`,
    ...verb.options.map(
      ({ name, takesValue, choices }) =>
        `complete -c spillway -n '__fish_seen_subcommand_from ${verb.name}' -l ${name.slice(2)}${
          choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : takesValue ? ' -r' : ''
        }`,
    ),
  ]);
  return `# fish completion for spillway\n${lines.join('\n')}\n`;
}
