import { wholeNumber } from '../args.ts';
import { neededAddress, QUEUE_HELP, secretOf, withQueueErrors } from '../queue.ts';
import type { Io, ParsedArgs, Verb } from '../verb.ts';
import { EXIT, InputError } from '../verb.ts';

export const worker: Verb = {
  name: 'worker',
  summary: 'work on questions from a queue',
  help: `usage: spillway worker --queue URL [options]

Takes questions from the queue that \`spillway check --queue URL\` fills, works on them in processes of their own, and gives the answers back.
As many workers as wanted, on as many machines; each may die at any time: its questions are taken over.

${QUEUE_HELP}
  --jobs N            questions at a time (default: the processors of this machine)
  --quiet             say nothing

SPILLWAY_QUEUE_KEY  a secret that submitters know, too: then they believe answers that cannot be audited (an exhausted search);
                    without it they repeat such work

Ctrl-C finishes what was begun; a second time it ends at once. exit code: 0 ended by the user · 3 the queue cannot be reached · 64 usage

example: spillway worker --queue redis://build-server:6379
`,
  options: {
    queue: { takes: 'value' },
    jobs: { takes: 'value' },
    quiet: { takes: 'nothing' },
  },
  run: (args, io) => withQueueErrors(() => runWorker(args, io)),
};

async function runWorker(args: ParsedArgs, io: Io) {
  const address = neededAddress(args, io);
  const slots = wholeNumber(args.value('jobs'), 'jobs', 1) ?? io.processors;
  const { onInterrupt } = io;
  if (io.startWorker === undefined || onInterrupt === undefined)
    throw new InputError('there are no processes here to work in');
  io.hideCommand?.('spillway worker');
  const say = (line: string): void => {
    if (!args.flag('quiet')) io.out(`${line}\n`);
  };
  const { shownAddress } = await import('../../queue/connection.ts');
  const running = await io.startWorker({ address, slots, secret: secretOf(io), say });
  say(`working on questions from ${shownAddress(address)}, ${slots} at a time`);
  await new Promise<void>((resolve) => {
    onInterrupt(() => {
      say('finishing what was begun; once more to end at once');
      onInterrupt(() => void running.kill().then(resolve));
      void running.close().then(resolve);
    });
  });
  // Connections that are still looking for a Redis that is gone would keep the process.
  io.leave?.();
  return EXIT.proved;
}
