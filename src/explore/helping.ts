// A thread that helps another one with a search: it makes its own machine of the same program, in the memory of the other.

import { SILENT, UNLIMITED } from '../base/budget.ts';
import { compileModel } from './compile.ts';
import { type HelpJob, writeReport } from './helper-report.ts';
import { SharedEngine } from './native-shared.ts';
import { Search } from './searching.ts';
import { STATUS, Team } from './team.ts';

export function help(job: HelpJob): void {
  const team = new Team(job.team, job.me);
  try {
    const model = compileModel(job.program, job.compile);
    if (!model.ok) throw new Error(model.error.reason);
    const search = new Search(model.value, job.options, UNLIMITED, SILENT);
    const engine = SharedEngine.join(model.value, job.place, search.sharedEvents(), job.arrows);
    const report = search.follow(engine, team);
    writeReport(job.report, report);
    team.say(report.isMemoryOver ? STATUS.memoryOver : STATUS.stopped);
  } catch {
    // The leader begins anew, alone.
    team.say(STATUS.failed);
  }
}
