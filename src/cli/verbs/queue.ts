import type { QueueStatus } from '../../queue/admin.ts';
import { neededAddress, QUEUE_HELP, withQueueErrors } from '../queue.ts';
import type { Verb } from '../verb.ts';
import { EXIT, UsageError } from '../verb.ts';

const ACTIONS = ['status', 'drain', 'retry'] as const;

export const queue: Verb = {
  name: 'queue',
  summary: 'look after a queue of questions',
  help: `usage: spillway queue status|drain|retry --queue URL [options]

  status              workers, what waits, what is worked on, what failed and why
  drain               take out what nobody works on yet, and answers that nobody fetched
  retry               let workers try again what failed

${QUEUE_HELP}
  --format F          text (default) or json (status)

exit code: 0 done · 2 (status) questions wait, and there is no worker, or some failed · 3 the queue cannot be reached · 64 usage

example: spillway queue status --queue redis://build-server:6379
`,
  options: {
    queue: { takes: 'value' },
    format: { takes: 'value', choices: ['text', 'json'] },
  },
  run: async (args, io) => {
    const [action, ...more] = args.positional;
    const known = ACTIONS.find((one) => one === action);
    if (known === undefined || more.length > 0)
      throw new UsageError(`what to do? one of ${ACTIONS.join(', ')}`);
    const format = args.value('format') ?? 'text';
    if (format !== 'text' && format !== 'json')
      throw new UsageError(`--format takes text or json, not '${format}'`);
    const address = neededAddress(args, io);
    return withQueueErrors(async () => {
      const { withQueue } = await import('../../queue/admin.ts');
      return withQueue(address, async (admin) => {
        if (known === 'drain') io.out(`${await admin.drain()} taken out\n`);
        if (known === 'retry') io.out(`${await admin.retry()} to be tried again\n`);
        if (known !== 'status') return EXIT.proved;
        const status = await admin.status();
        io.out(format === 'json' ? `${JSON.stringify(status, null, 2)}\n` : statusText(status));
        const isStuck = status.workers === 0 && status.waiting > 0;
        return isStuck || status.failed.length > 0 ? EXIT.unknown : EXIT.proved;
      });
    });
  },
};

function statusText({ workers, waiting, active, answered, failed }: QueueStatus): string {
  const lines = [
    `workers   ${workers}`,
    `waiting   ${waiting}`,
    `active    ${active.length}`,
    ...active.map(({ model, progress }) => `  ${model}${progress === '' ? '' : ` · ${progress}`}`),
    `answered  ${answered}`,
    `failed    ${failed.length}`,
    ...failed.map(({ model, reason }) => `  ${model}: ${reason}`),
  ];
  return `${lines.join('\n')}\n`;
}
